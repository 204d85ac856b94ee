import { identityOfFiles, type CompleteFiles } from '@flotilla/apiserver';
import { silentLogger } from '@flotilla/kube';
import { systemClock } from '@flotilla/timing';
import { observedEngine } from './observed-engine.ts';
import { serve, type Serving, type ServingOptions } from './serve.ts';

export interface BareServerOptions extends ServingOptions {
  /** Certificates, read again while the server runs. */
  readonly files: CompleteFiles;
}

/**
 * Starts an API server alone, for test suites with their own controllers: without housekeeping, and without an
 * administrator of its own.
 */
export async function startBareServer(options: BareServerOptions): Promise<Serving> {
  const { files, ...serving } = options;
  const [clock, logger] = [systemClock, silentLogger];
  const loadIdentity = (): ReturnType<typeof identityOfFiles> => identityOfFiles(files);
  const identity = await loadIdentity();
  const observed = await observedEngine({ directory: serving.dataDirectory, clock, logger });
  try {
    return await serve({
      ...serving,
      observed,
      clock,
      logger,
      isBare: true,
      identity,
      loadIdentity,
      rotationFailed: () => undefined,
    });
  } catch (error) {
    await observed.engine.close();
    throw error;
  }
}
