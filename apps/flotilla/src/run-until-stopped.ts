import type { Kubeconfig } from '@flotilla/fleet/server';
import { writeKubeconfigs, type KubeconfigFile } from './kubeconfig-file.ts';
import { say } from './server-flags.ts';
import { stopSignal } from './stop-signal.ts';

interface Running {
  /** How administrators get in. */
  readonly accesses: readonly Kubeconfig[];
  /** Tells people what runs, and with which file they get to it if there is one. */
  readonly announce: (kubeconfig: string | undefined) => void;
  readonly stop: () => Promise<void>;
}

/** Hands something that runs over to people: writes its kubeconfigs, announces it, and stops it when they say so. */
export async function runUntilStopped(files: readonly KubeconfigFile[], running: Running): Promise<void> {
  // Scripts wait for the kubeconfig and may stop the server the moment it is there.
  const stopped = stopSignal();
  try {
    await writeKubeconfigs(files, running.accesses);
    running.announce(files.at(-1)?.path);
    await stopped;
    say('Stopping.');
  } finally {
    await running.stop();
  }
}
