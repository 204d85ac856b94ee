/** Access to the hub from the environment variables of KubeFleet's member agent and the files that they name. */
import { access } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  environmentProxy,
  userCredentials,
  type Environment,
  type HttpTransportOptions,
  type Secret,
  type UserEntry,
} from '@flotilla/client';
import { systemClock } from '@flotilla/timing';
import { UserError } from '../user-error.ts';
import { parseHeaders, type ExtraHeaders } from './request-headers.ts';

export interface EnvironmentFlags {
  readonly usesCertificate: boolean;
  readonly isInsecure: boolean;
}

export interface HubAccess {
  readonly transport: HttpTransportOptions;
  readonly headers: ExtraHeaders;
}

export async function hubFromEnvironment(environment: Environment, flags: EnvironmentFlags): Promise<HubAccess> {
  const server = environment['HUB_SERVER_URL'];
  if (!server) throw new UserError('the hub is missing; set --hub-kubeconfig or HUB_SERVER_URL.');
  if (!URL.canParse(server)) throw new UserError(`HUB_SERVER_URL is not a URL: ${server}.`);
  const user = flags.usesCertificate ? certificateIn(environment) : await tokenFileIn(environment);
  const authority = flags.isInsecure ? undefined : authorityIn(environment);
  const proxy = environmentProxy(new URL(server), environment);
  const cluster = {
    server,
    skipsVerification: flags.isInsecure,
    disablesCompression: false,
    ...(authority && { authority }),
  };
  return {
    transport: {
      server,
      credentials: userCredentials(cluster, user, { clock: systemClock, environment }),
      skipsVerification: flags.isInsecure,
      ...(proxy !== undefined && { proxy }),
    },
    headers: parseHeaders(environment['HUB_KUBE_HEADER'] ?? ''),
  };
}

function certificateIn(environment: Environment): UserEntry {
  const { IDENTITY_CERT: certificate, IDENTITY_KEY: key } = environment;
  if (!key) throw new UserError('--use-ca-auth needs IDENTITY_KEY, the file of the client key.');
  if (!certificate) throw new UserError('--use-ca-auth needs IDENTITY_CERT, the file of the client certificate.');
  return { certificate: { file: certificate }, key: { file: key } };
}

/** The container that writes the token may start at the same moment. */
const tries = 5;
const retryMs = 10;

async function tokenFileIn({ CONFIG_PATH: tokenFile }: Environment): Promise<UserEntry> {
  if (!tokenFile) throw new UserError("CONFIG_PATH must name the file with the hub's token, or use --use-ca-auth.");
  for (let left = tries - 1; !(await exists(tokenFile)); left--) {
    if (left === 0) throw new UserError(`the hub's token file does not exist: CONFIG_PATH is ${tokenFile}.`);
    await sleep(retryMs);
  }
  return { tokenFile };
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Undefined means the CAs that the system trusts. */
function authorityIn(environment: Environment): Secret | undefined {
  const { CA_BUNDLE: file, HUB_CERTIFICATE_AUTHORITY: data } = environment;
  if (file === '') throw new UserError('CA_BUNDLE is set but empty; unset it, or name a file with a CA certificate.');
  if (data === '')
    throw new UserError('HUB_CERTIFICATE_AUTHORITY is set but empty; unset it, or set a CA certificate in base64.');
  if (file !== undefined && data !== undefined) {
    throw new UserError('CA_BUNDLE and HUB_CERTIFICATE_AUTHORITY are both set; choose one.');
  }
  if (file !== undefined) return { file };
  if (data === undefined) return undefined;
  const text = Buffer.from(data, 'base64').toString('utf8');
  if (!text.includes('-----BEGIN')) throw new UserError('HUB_CERTIFICATE_AUTHORITY is not a certificate in base64.');
  return { text };
}
