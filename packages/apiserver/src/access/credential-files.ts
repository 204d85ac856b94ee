import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeCredentials, type Credentials } from './certificates.ts';

export interface KeptCredentials extends Credentials {
  /** Administrator's bearer token, for clients that cannot do certificates. */
  readonly token: string;
}

const fileNames = {
  authority: 'ca.crt',
  serverKey: 'server.key',
  serverCertificate: 'server.crt',
  adminKey: 'admin.key',
  adminCertificate: 'admin.crt',
  token: 'admin.token',
} as const;

/** Credentials of a data directory: made at the first start and kept, readable by their owner alone. */
export async function keptCredentials(
  directory: string,
  hosts: readonly string[],
  now: Date,
): Promise<KeptCredentials> {
  const folder = join(directory, 'pki');
  return (await readKept(folder)) ?? (await makeKept(folder, hosts, now));
}

export async function freshCredentials(hosts: readonly string[], now: Date): Promise<KeptCredentials> {
  return { ...(await makeCredentials(hosts, now)), token: randomBytes(32).toString('base64url') };
}

async function readKept(folder: string): Promise<KeptCredentials | undefined> {
  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
  try {
    const [authority, serverKey, serverCertificate, adminKey, adminCertificate, token] = await Promise.all(
      Object.values(fileNames).map(read),
    );
    if (!authority || !serverKey || !serverCertificate || !adminKey || !adminCertificate || !token) return undefined;
    return {
      server: { key: serverKey, certificate: serverCertificate, authority, clientAuthority: authority },
      admin: { key: adminKey, certificate: adminCertificate },
      token: token.trim(),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function makeKept(folder: string, hosts: readonly string[], now: Date): Promise<KeptCredentials> {
  const made = await freshCredentials(hosts, now);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text, { mode: 0o600 });
  await write(fileNames.authority, made.server.authority);
  await write(fileNames.serverKey, made.server.key);
  await write(fileNames.serverCertificate, made.server.certificate);
  await write(fileNames.adminKey, made.admin.key);
  await write(fileNames.adminCertificate, made.admin.certificate);
  // The token comes last: a first start that was cut off begins anew.
  await write(fileNames.token, `${made.token}\n`);
  return made;
}
