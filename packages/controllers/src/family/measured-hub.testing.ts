import { MetricsRegistry, silentLogger } from '@flotilla/kube';
import { InformerSet } from '@flotilla/runtime';
import { startTestHub, type TestHub } from '@flotilla/testkit';

export interface MeasuredHub {
  readonly hub: TestHub;
  readonly metrics: MetricsRegistry;
  readonly stop: () => Promise<void>;
}

interface Measured extends Pick<TestHub, 'clock'> {
  readonly informers: InformerSet;
  readonly metrics: MetricsRegistry;
}

/** A hub without controllers whose objects are measured. */
export async function startMeasuredHub(measure: (measured: Measured) => () => Promise<void>): Promise<MeasuredHub> {
  const hub = await startTestHub({ controllers: [] });
  const { client, clock } = hub;
  const metrics = new MetricsRegistry();
  const informers = new InformerSet({ client, clock, random: () => 0, logger: silentLogger });
  const stopMeasuring = measure({ informers, metrics, clock });
  return {
    hub,
    metrics,
    stop: async () => {
      await stopMeasuring();
      await hub.stop();
    },
  };
}
