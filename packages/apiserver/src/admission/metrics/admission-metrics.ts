import type { Histogram, MetricFamily, MetricsRegistry } from '@flotilla/kube';
import type { Operation, PhaseName } from '../admission.ts';

/** How long the plugins of a phase ran, once or several times. */
export interface PhaseRun {
  readonly phase: PhaseName;
  readonly operation: Operation;
  readonly names: readonly string[];
  /** Of each plugin that ran. */
  readonly seconds: readonly number[];
  /** Of the whole phase; undefined if it is not over. */
  readonly stepSeconds: number | undefined;
  readonly times: number;
  /** The plugin that refused the request, if any. */
  readonly rejectedAt?: number;
  /** Whether the plugins are a whole phase. Those that charge are not. */
  readonly isStep: boolean;
}

/** Of plugins and phases, as in kube-apiserver, in seconds. */
export const pluginDurationBounds = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

/** Kubernetes' metrics of admission plugins, by plugin and as a whole. */
export class AdmissionMetrics {
  readonly #plugins: MetricFamily<Histogram>;
  readonly #steps: MetricFamily<Histogram>;

  constructor(metrics: MetricsRegistry) {
    this.#plugins = metrics.histogram({
      name: 'apiserver_admission_controller_admission_duration_seconds',
      help: 'Time that requests spent in an admission plugin in seconds, by phase (admit or validate) and operation.',
      labels: ['name', 'operation', 'rejected', 'type'],
      bounds: pluginDurationBounds,
    });
    this.#steps = metrics.histogram({
      name: 'apiserver_admission_step_admission_duration_seconds',
      help: 'Time that requests spent in all admission plugins of a phase in seconds.',
      labels: ['operation', 'rejected', 'type'],
      bounds: pluginDurationBounds,
    });
  }

  ran({ phase, operation, names, seconds, stepSeconds, times, rejectedAt, isStep }: PhaseRun): void {
    for (const [at, some] of seconds.entries()) {
      const rejected = String(at === rejectedAt);
      this.#plugins.with(names[at] ?? '', operation, rejected, phase).observe(some, times);
    }
    if (!isStep || stepSeconds === undefined) return;
    this.#steps.with(operation, String(rejectedAt !== undefined), phase).observe(stepSeconds, times);
  }
}
