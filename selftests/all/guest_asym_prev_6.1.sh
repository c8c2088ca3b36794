#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The guest tests of asym-prev on 6.1.
# timeout: 7200
exec cli/guest_asym_prev.sh 6.1
