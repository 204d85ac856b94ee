import {
  identityOfFiles,
  type CompleteFiles,
  type ServiceAccountTokenOptions,
  type StaticToken,
} from '@flotilla/apiserver';
import { silentLogger } from '@flotilla/kube';
import { systemClock } from '@flotilla/timing';
import { observedEngine } from './observed-engine.ts';
import { serve, type Serving } from './serve.ts';

export interface BareServerOptions {
  /** Read again while the server runs. */
  readonly files: CompleteFiles;
  readonly host?: string;
  /** 0: any free one. */
  readonly port?: number;
  /** Where objects are kept; without it nothing is. */
  readonly dataDirectory?: string;
  /** Where cluster IPs come from, an IPv4 range. */
  readonly serviceCidr?: string;
  readonly staticTokens?: readonly StaticToken[];
  readonly serviceAccountTokens?: ServiceAccountTokenOptions;
  readonly allowsAnonymous?: boolean;
  readonly allowsPrivileged?: boolean;
  readonly disabledAdmission?: readonly string[];
}

/**
 * The API server and nothing beside it, as test suites want it that bring their own controllers: no housekeeping, and no
 * administrator but whom the given authority vouches for.
 */
export async function startBareServer(options: BareServerOptions): Promise<Serving> {
  const { files, host = '127.0.0.1', port = 0, dataDirectory: directory } = options;
  const [clock, logger] = [systemClock, silentLogger];
  const lookForIdentity = (): ReturnType<typeof identityOfFiles> => identityOfFiles(files);
  const identity = await lookForIdentity();
  const observed = await observedEngine({ directory, clock, logger });
  try {
    return await serve({
      observed,
      directory,
      clock,
      logger,
      host,
      port,
      isBare: true,
      serviceCidr: options.serviceCidr,
      identity,
      lookForIdentity,
      rotationFailed: () => undefined,
      staticTokens: options.staticTokens ?? [],
      serviceAccountTokens: options.serviceAccountTokens ?? {},
      allowsAnonymous: options.allowsAnonymous ?? true,
      allowsPrivileged: options.allowsPrivileged,
      disabledAdmission: options.disabledAdmission ?? [],
      adminPaths: new Map(),
    });
  } catch (error) {
    await observed.engine.close();
    throw error;
  }
}
