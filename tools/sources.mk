# SPDX-License-Identifier: GPL-2.0-or-later
# What is built from what: a file per line, alphabetical. `make check` fails for a file that no list names.

# In both programs, schedlab and schedlab-guest.
shared-sources := \
	tools/core/cpulist.cpp \
	tools/core/error.cpp \
	tools/core/histogram.cpp \
	tools/core/job.cpp \
	tools/core/json_object.cpp \
	tools/core/metric.cpp \
	tools/core/nearest.cpp \
	tools/core/option.cpp \
	tools/core/place.cpp \
	tools/core/printable.cpp \
	tools/core/record.cpp \
	tools/core/spread.cpp \
	tools/core/topology.cpp \
	tools/loads/affinity.cpp \
	tools/loads/c2c.cpp \
	tools/loads/crew.cpp \
	tools/loads/exchange.cpp \
	tools/loads/frame_log.cpp \
	tools/loads/frames.cpp \
	tools/loads/hogs.cpp \
	tools/loads/instances.cpp \
	tools/loads/latency.cpp \
	tools/loads/limits.cpp \
	tools/loads/load.cpp \
	tools/loads/messaging.cpp \
	tools/loads/mix.cpp \
	tools/loads/pipe.cpp \
	tools/loads/rr.cpp \
	tools/loads/socket.cpp \
	tools/loads/spawn.cpp \
	tools/loads/storm.cpp \
	tools/loads/tb.cpp \
	tools/loads/tb_script.cpp \
	tools/loads/wake.cpp \
	tools/loads/work.cpp \
	tools/measure/measure.cpp \
	tools/probes/bpf_log.cpp \
	tools/probes/bpf_probe.cpp \
	tools/probes/latency.cpp \
	tools/probes/path.cpp \
	tools/probes/placement.cpp \
	tools/probes/placement_events.cpp \
	tools/probes/placement_metrics.cpp \
	tools/probes/probe.cpp \
	tools/probes/share.cpp \
	tools/probes/share_metrics.cpp \
	tools/probes/waste.cpp \
	tools/sys/environment.cpp \
	tools/sys/fd.cpp \
	tools/sys/files.cpp \
	tools/sys/interrupt.cpp \
	tools/sys/process.cpp \
	tools/sys/run.cpp \
	tools/sys/sched_features.cpp \
	tools/sys/topology_reader.cpp

# In schedlab alone.
host-only-sources := \
	tools/boot/begin.cpp \
	tools/boot/boot.cpp \
	tools/boot/boot_dir.cpp \
	tools/boot/device_tree.cpp \
	tools/boot/initramfs.cpp \
	tools/boot/qemu.cpp \
	tools/boot/qmp.cpp \
	tools/boot/registry.cpp \
	tools/boot/saved_state.cpp \
	tools/boot/shell.cpp \
	tools/boot/transcript.cpp \
	tools/boot/watch.cpp \
	tools/cmd/ab.cpp \
	tools/cmd/bench.cpp \
	tools/cmd/command_line.cpp \
	tools/cmd/comparison_output.cpp \
	tools/cmd/doctor.cpp \
	tools/cmd/emulator.cpp \
	tools/cmd/event_output.cpp \
	tools/cmd/gate.cpp \
	tools/cmd/import.cpp \
	tools/cmd/kernel.cpp \
	tools/cmd/kernel_choice.cpp \
	tools/cmd/machine.cpp \
	tools/cmd/machine_timing.cpp \
	tools/cmd/record_output.cpp \
	tools/cmd/report.cpp \
	tools/cmd/run_list.cpp \
	tools/cmd/runs.cpp \
	tools/cmd/selftest.cpp \
	tools/cmd/stress.cpp \
	tools/cmd/trace.cpp \
	tools/core/bootstrap.cpp \
	tools/core/captured_model.cpp \
	tools/core/compare.cpp \
	tools/core/compare_records.cpp \
	tools/core/corrections.cpp \
	tools/core/explain.cpp \
	tools/core/gate.cpp \
	tools/core/ktap.cpp \
	tools/core/machine.cpp \
	tools/core/permutation.cpp \
	tools/core/sequential.cpp \
	tools/core/series.cpp \
	tools/core/series_apply.cpp \
	tools/core/stats.cpp \
	tools/core/timing.cpp \
	tools/core/trend.cpp \
	tools/core/truth_check.cpp \
	tools/core/two_groups.cpp \
	tools/core/value_words.cpp \
	tools/core/warnings.cpp \
	tools/emulator/build.cpp \
	tools/emulator/source.cpp \
	tools/emulator/store.cpp \
	tools/import/cyclictest.cpp \
	tools/import/gfxinfo.cpp \
	tools/import/hackbench.cpp \
	tools/import/import.cpp \
	tools/import/jankbench.cpp \
	tools/import/jankbench_json.cpp \
	tools/import/lines.cpp \
	tools/import/mmtests.cpp \
	tools/import/netperf.cpp \
	tools/import/open_log.cpp \
	tools/import/perf_bench.cpp \
	tools/import/perf_bench_simple.cpp \
	tools/import/perf_stat.cpp \
	tools/import/rt_app.cpp \
	tools/import/sample.cpp \
	tools/import/scan.cpp \
	tools/import/schbench.cpp \
	tools/import/schedstat.cpp \
	tools/import/stress_ng.cpp \
	tools/import/surfaceflinger.cpp \
	tools/import/sysbench.cpp \
	tools/import/tbench.cpp \
	tools/import/trace.cpp \
	tools/import/trace_ledger.cpp \
	tools/import/trace_line.cpp \
	tools/import/trace_order.cpp \
	tools/import/unixbench.cpp \
	tools/kernel/base.cpp \
	tools/kernel/build.cpp \
	tools/kernel/build_log.cpp \
	tools/kernel/cache.cpp \
	tools/kernel/config.cpp \
	tools/kernel/fetch.cpp \
	tools/kernel/git_tree.cpp \
	tools/kernel/image_key.cpp \
	tools/kernel/kconfig_why.cpp \
	tools/kernel/mirror.cpp \
	tools/kernel/package.cpp \
	tools/kernel/patch_files.cpp \
	tools/kernel/source.cpp \
	tools/kernel/toolchain.cpp \
	tools/kernel/work_tree.cpp \
	tools/lab/arms.cpp \
	tools/lab/compare_runs.cpp \
	tools/lab/differences.cpp \
	tools/lab/experiment.cpp \
	tools/lab/imported_runs.cpp \
	tools/lab/load_arguments.cpp \
	tools/lab/plan.cpp \
	tools/lab/run_plan.cpp \
	tools/main.cpp \
	tools/report/comparison_csv.cpp \
	tools/report/comparison_html.cpp \
	tools/report/comparison_json.cpp \
	tools/report/comparison_lkml.cpp \
	tools/report/comparison_markdown.cpp \
	tools/report/comparison_parse.cpp \
	tools/report/comparison_text.cpp \
	tools/report/comparison_words.cpp \
	tools/report/format.cpp \
	tools/report/gate_report.cpp \
	tools/report/html_charts.cpp \
	tools/report/html_ledger.cpp \
	tools/report/html_map.cpp \
	tools/report/html_style.cpp \
	tools/report/load_tables.cpp \
	tools/report/perfetto.cpp \
	tools/report/progress.cpp \
	tools/report/record_text.cpp \
	tools/report/sparkline.cpp \
	tools/report/table.cpp \
	tools/report/terminal.cpp \
	tools/store/database.cpp \
	tools/store/run_json.cpp \
	tools/store/run_query.cpp \
	tools/store/schema.cpp \
	tools/store/store.cpp \
	tools/sys/capture.cpp \
	tools/sys/hash.cpp \
	tools/sys/hwloc_capture.cpp \
	tools/sys/places.cpp \
	tools/sys/threads.cpp \
	tools/sys/wall_clock.cpp

# In schedlab-guest alone.
guest-only-sources := \
	tools/guest/channel.cpp \
	tools/guest/churn.cpp \
	tools/guest/emulator.cpp \
	tools/guest/hello.cpp \
	tools/guest/libelf_search_tree.cpp \
	tools/guest/main.cpp \
	tools/guest/seed.cpp \
	tools/guest/stress.cpp \
	tools/guest/worker.cpp

# Each becomes a skeleton.
bpf-sources := \
	tools/bpf/latency.bpf.c \
	tools/bpf/path.bpf.c \
	tools/bpf/placement.bpf.c \
	tools/bpf/share.bpf.c \
	tools/bpf/waste.bpf.c

# In the unit tests.
unit-sources := \
	selftests/unit/boot_end_test.cpp \
	selftests/unit/bootstrap_test.cpp \
	selftests/unit/captured_model_test.cpp \
	selftests/unit/compare_runs_test.cpp \
	selftests/unit/compare_test.cpp \
	selftests/unit/corrections_test.cpp \
	selftests/unit/cpulist_test.cpp \
	selftests/unit/crew_test.cpp \
	selftests/unit/device_tree_test.cpp \
	selftests/unit/environment_test.cpp \
	selftests/unit/explain_test.cpp \
	selftests/unit/files_test.cpp \
	selftests/unit/gate_report_test.cpp \
	selftests/unit/gate_test.cpp \
	selftests/unit/histogram_test.cpp \
	selftests/unit/hwloc_capture_test.cpp \
	selftests/unit/import_frames_test.cpp \
	selftests/unit/import_system_test.cpp \
	selftests/unit/import_test.cpp \
	selftests/unit/initramfs_test.cpp \
	selftests/unit/job_test.cpp \
	selftests/unit/kernel_test.cpp \
	selftests/unit/ktap_test.cpp \
	selftests/unit/lab_test.cpp \
	selftests/unit/load_arguments_test.cpp \
	selftests/unit/load_tables_test.cpp \
	selftests/unit/loads_test.cpp \
	selftests/unit/machine_test.cpp \
	selftests/unit/message_loads_test.cpp \
	selftests/unit/mirror_test.cpp \
	selftests/unit/open_log_test.cpp \
	selftests/unit/option_test.cpp \
	selftests/unit/perfetto_test.cpp \
	selftests/unit/permutation_test.cpp \
	selftests/unit/pipe_load_test.cpp \
	selftests/unit/place_test.cpp \
	selftests/unit/placement_metrics_test.cpp \
	selftests/unit/placement_oracle_test.cpp \
	selftests/unit/plan_test.cpp \
	selftests/unit/probe_test.cpp \
	selftests/unit/process_test.cpp \
	selftests/unit/qmp_test.cpp \
	selftests/unit/record_test.cpp \
	selftests/unit/report_formats_test.cpp \
	selftests/unit/report_test.cpp \
	selftests/unit/sequential_test.cpp \
	selftests/unit/series_test.cpp \
	selftests/unit/simulation.cpp \
	selftests/unit/simulation_test.cpp \
	selftests/unit/spread_test.cpp \
	selftests/unit/stats_test.cpp \
	selftests/unit/store_test.cpp \
	selftests/unit/tb_script_test.cpp \
	selftests/unit/timing_test.cpp \
	selftests/unit/topology_reader_test.cpp \
	selftests/unit/topology_test.cpp \
	selftests/unit/trace_test.cpp \
	selftests/unit/trend_test.cpp \
	selftests/unit/two_groups_test.cpp \
	selftests/unit/wake_percentiles_test.cpp \
	selftests/unit/warnings_test.cpp

# In the bench of the statistics.
bench-sources := \
	selftests/bench/statistics.cpp \
	selftests/unit/simulation.cpp

# In the fuzzer: its own file, and what the parsers need.
fuzz-sources := \
	selftests/fuzz/parsers.cpp \
	tools/boot/transcript.cpp \
	tools/kernel/base.cpp \
	tools/loads/tb_script.cpp \
	tools/probes/placement_metrics.cpp \
	tools/store/run_json.cpp \
	tools/store/run_query.cpp \
	tools/sys/fd.cpp \
	tools/sys/files.cpp \
	tools/sys/hash.cpp \
	tools/sys/interrupt.cpp \
	tools/sys/places.cpp \
	tools/sys/process.cpp \
	$(filter tools/core/% tools/import/% tools/report/%,$(shared-sources) $(host-only-sources))

# Directories of selftests/guest: each becomes a program per architecture.
guest-tests := \
	asym_prev \
	clocks \
	cluster_wakeup \
	idle_claim \
	smt_spread
