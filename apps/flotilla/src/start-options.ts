import type { StartServerOptions } from '@flotilla/fleet/server';
import { serverOptionsIn, servingFilesIn, type AdmissionFlags, type CredentialFlags } from './apiserver-flags.ts';
import type { AuthenticationFlags } from './authentication-flags.ts';
import type { AuditFlags } from './audit-flags.ts';
import { processLogger } from './process-logger.ts';
import { dataDirectoryOf, print, type ServerFlags } from './server-flags.ts';

/** The start options that a server, a hub and a fleet share. */
export async function startOptionsIn(
  flags: ServerFlags & Partial<CredentialFlags & AdmissionFlags & AuthenticationFlags & AuditFlags>,
): Promise<StartServerOptions> {
  return {
    dataDirectory: dataDirectoryOf(flags),
    isNew: flags.new === true,
    port: flags.port,
    host: flags.host,
    logger: processLogger(flags.logLevel),
    servingFiles: await servingFilesIn(flags),
    server: await serverOptionsIn(flags),
    rotationFailed: (error) => print(`Cannot renew certificates: ${(error as Error).message}`),
    reportLoopDelay: process.env['FLOTILLA_REPORT_LOOP_DELAY'] === '1',
  };
}
