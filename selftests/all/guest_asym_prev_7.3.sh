#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The guest tests of asym-prev on 7.3.
# timeout: 7200
exec cli/guest_asym_prev.sh 7.3
