import { startBareServer } from '@flotilla/fleet/server';
import { stopSignal } from '../stop-signal.ts';
import { explainDataError } from '../server-flags.ts';
import { UserError } from '../user-error.ts';
import { apiserverOptions } from './apiserver-options.ts';
import { ProgramFlags } from './program-flags.ts';

/** Runs for the launcher `envtest/kube-apiserver`. */
export async function runApiserver(args: readonly string[]): Promise<void> {
  const stopped = stopSignal();
  const server = await startBareServer(await apiserverOptions(new ProgramFlags(args))).catch((error: unknown) => {
    throw explainError(error);
  });
  await stopped;
  await server.stop();
}

/** Turns errors that the suite can fix into UserErrors. */
function explainError(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  return /^E[A-Z]+$/.test(code ?? '') ? new UserError(`${message}.`) : explainDataError(error);
}
