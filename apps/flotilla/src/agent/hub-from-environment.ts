/** How to reach the hub, in the words of KubeFleet's member agent: environment variables and the files that they name. */
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
import { UserFault } from '../user-error.ts';
import { parseHeaders, type ExtraHeaders } from './request-headers.ts';

export interface EnvironmentFlags {
  readonly usesCertificate: boolean;
  readonly isInsecure: boolean;
}

export interface HubAccess {
  readonly transport: HttpTransportOptions;
  readonly headers: ExtraHeaders;
}

export async function hubInEnvironment(environment: Environment, flags: EnvironmentFlags): Promise<HubAccess> {
  const server = environment['HUB_SERVER_URL'];
  if (!server) throw new UserFault('which hub? Name it with --hub-kubeconfig, or its URL with HUB_SERVER_URL.');
  if (!URL.canParse(server)) throw new UserFault(`HUB_SERVER_URL is no URL: ${server}.`);
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
  if (!key) throw new UserFault('--use-ca-auth needs IDENTITY_KEY, the file of the client key.');
  if (!certificate) throw new UserFault('--use-ca-auth needs IDENTITY_CERT, the file of the client certificate.');
  return { certificate: { file: certificate }, key: { file: key } };
}

/** Whoever writes the file may have been started at the same moment. */
const tries = 5;
const retryMs = 10;

async function tokenFileIn({ CONFIG_PATH: tokenFile }: Environment): Promise<UserEntry> {
  if (!tokenFile) throw new UserFault('CONFIG_PATH must name the file of the token for the hub, or use --use-ca-auth.');
  for (let left = tries - 1; !(await exists(tokenFile)); left--) {
    if (left === 0) throw new UserFault(`there is no token for the hub: CONFIG_PATH names ${tokenFile}.`);
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

/** Undefined: whoever the system trusts. */
function authorityIn(environment: Environment): Secret | undefined {
  const { CA_BUNDLE: file, HUB_CERTIFICATE_AUTHORITY: data } = environment;
  if (file === '') throw new UserFault('CA_BUNDLE is set but empty; unset it, or name the file of an authority.');
  if (data === '')
    throw new UserFault('HUB_CERTIFICATE_AUTHORITY is set but empty; unset it, or give an authority in base64.');
  if (file !== undefined && data !== undefined) {
    throw new UserFault('CA_BUNDLE and HUB_CERTIFICATE_AUTHORITY are both set; choose one.');
  }
  if (file !== undefined) return { file };
  if (data === undefined) return undefined;
  const text = Buffer.from(data, 'base64').toString('utf8');
  if (!text.includes('-----BEGIN')) throw new UserFault('HUB_CERTIFICATE_AUTHORITY is no certificate in base64.');
  return { text };
}
