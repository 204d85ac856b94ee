import { Command } from 'commander';
import { stopSignal } from '../stop-signal.ts';

/** What the launcher `envtest/etcd` becomes. */
export function envtestEtcdCommand(): Command {
  return new Command('envtest-etcd')
    .argument('[flags...]')
    .helpOption(false)
    .allowUnknownOption()
    .action((flags: string[]) => run(flags));
}

async function run(args: readonly string[]): Promise<void> {
  const [{ answerHealth }, { ProgramFlags }] = await Promise.all([
    import('../envtest/health-stub.ts'),
    import('../envtest/program-flags.ts'),
  ]);
  const stopped = stopSignal();
  const [url = 'http://127.0.0.1:2379'] = new ProgramFlags(args).list('listen-client-urls');
  const close = await answerHealth(new URL(url));
  await stopped;
  close();
}
