/** Controllers for tests, with a scripted server and a manual clock. */
import { createClient } from '@flotilla/client';
import { configMaps, MetricsRegistry, secrets, type KubeObject, type LogFields, type Logger } from '@flotilla/kube';
import { ManualClock } from '@flotilla/testkit';
import { itself, type Controller } from './controller.ts';
import { EventRecorder } from './events/event-recorder.ts';
import { keyOf } from './informer/object-key.ts';
import { runControllers, type RunningControllers } from './run-controllers.ts';
import { ScriptedServer } from './scripted-server.testing.ts';

/** Keeps a Secret of the same name beside each ConfigMap, with the same value. */
export const copier: Controller<{ readonly from: KubeObject; readonly to: KubeObject | undefined }> = {
  name: 'copier',
  watches: [
    { kind: configMaps, concerns: itself },
    { kind: secrets, concerns: itself },
  ],
  observe: (key, cache) => {
    const from = cache.get(configMaps, key);
    return from && { from, to: cache.get(secrets, key) };
  },
  decide: ({ from, to }) => {
    const { namespace, name } = keyOf(from);
    const data = from['data'] ?? {};
    const fresh = { apiVersion: 'v1', kind: 'Secret', metadata: { name, ...(namespace && { namespace }) }, data };
    if (to === undefined) return { steps: [[{ verb: 'create', kind: secrets, object: fresh }]] };
    return { steps: [[{ verb: 'update', kind: secrets, object: { ...to, data } }]] };
  },
};

export class ControllerFixture {
  readonly clock = new ManualClock();
  readonly server = new ScriptedServer();
  readonly metrics = new MetricsRegistry();
  readonly logged: string[] = [];
  readonly #client = createClient(this.server, { clock: this.clock, random: () => 0.5 });
  readonly events = new EventRecorder({ client: this.#client, clock: this.clock, random: () => 0.5 });

  put(object: KubeObject): KubeObject {
    return this.server.put(`/api/v1/${object.kind.toLowerCase()}s`, object);
  }

  run(...controllers: readonly Controller[]): RunningControllers {
    const { clock, metrics, events } = this;
    const random = (): number => 0.5;
    const options = { client: this.#client, controllers, clock, random, metrics, events };
    return runControllers({ ...options, logger: loggerTo(this.logged) });
  }

  /** The value of a counter or gauge. */
  metric(series: string): number {
    return metricOf(this.metrics, series);
  }

  /** Writes without their common prefix: `PUT configmaps/a`. */
  get writes(): readonly string[] {
    return this.server.writes.map((write) => write.replace('/api/v1/namespaces/default/', '').replace(/\?.*/, ''));
  }
}

export function metricOf(metrics: MetricsRegistry, series: string): number {
  const line = metrics
    .text()
    .split('\n')
    .find((text) => text.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? Number.NaN);
}

/** Collects log lines above debug as `level: message key`. */
export function loggerTo(lines: string[]): Logger {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      void lines.push(`${level}: ${message} ${typeof fields['key'] === 'string' ? fields['key'] : ''}`.trim());
  const logger: Logger = {
    debug: () => {},
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: () => logger,
  };
  return logger;
}
