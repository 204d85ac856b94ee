import { stopSignal } from '../stop-signal.ts';
import { answerHealth } from './health-stub.ts';
import { ProgramFlags } from './program-flags.ts';

/** What the launcher `envtest/etcd` becomes. */
export async function runEtcd(args: readonly string[]): Promise<void> {
  const stopped = stopSignal();
  const [url = 'http://127.0.0.1:2379'] = new ProgramFlags(args).list('listen-client-urls');
  const stop = await answerHealth(new URL(url));
  await stopped;
  stop();
}
