import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freshCredentials, renewedCredentials, type KeptCredentials } from './credentials.ts';

const fileNames = {
  authority: 'ca.crt',
  authorityKey: 'ca.key',
  serverKey: 'server.key',
  serverCertificate: 'server.crt',
  adminKey: 'admin.key',
  adminCertificate: 'admin.crt',
  tokenKey: 'service-account.key',
  token: 'admin.token',
} as const;

type Texts = Readonly<Record<keyof typeof fileNames, string>>;

/**
 * The credentials of a data directory: made at the first start and kept, readable by their owner alone; renewed when it is time,
 * or when the server is to be known by other hosts. Who has read them before need not do so again.
 */
export async function keptCredentials(
  directory: string,
  hosts: readonly string[],
  now: Date,
  known?: KeptCredentials,
): Promise<KeptCredentials> {
  const folder = join(directory, 'pki');
  const kept = known ?? (await readKept(folder));
  const current = kept ? await renewedCredentials(kept, hosts, now) : await freshCredentials(hosts, now);
  if (current !== kept) await keep(folder, current, kept);
  return current;
}

async function readKept(folder: string): Promise<KeptCredentials | undefined> {
  const read = async (file: string): Promise<string> => await readFile(join(folder, file), 'utf8');
  try {
    const entries = Object.entries(fileNames).map(async ([name, file]) => [name, await read(file)] as const);
    return credentialsOf(Object.fromEntries(await Promise.all(entries)) as Texts);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function credentialsOf(texts: Texts): KeptCredentials {
  const { authority, authorityKey, tokenKey, token } = texts;
  return {
    server: {
      key: texts.serverKey,
      certificate: texts.serverCertificate,
      authority,
      clientAuthority: authority,
    },
    admin: { key: texts.adminKey, certificate: texts.adminCertificate },
    token: token.trim(),
    authorityKey,
    tokenKey,
  };
}

function textsOf({ server, admin, authorityKey, tokenKey, token }: KeptCredentials): Texts {
  return {
    authority: server.authority,
    authorityKey,
    serverKey: server.key,
    serverCertificate: server.certificate,
    adminKey: admin.key,
    adminCertificate: admin.certificate,
    tokenKey,
    // The token comes last: a first start that was cut off begins anew.
    token: `${token}\n`,
  };
}

/** Writes what is not in its file already. */
async function keep(folder: string, credentials: KeptCredentials, kept: KeptCredentials | undefined): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const before = kept && textsOf(kept);
  const now = textsOf(credentials);
  for (const name of Object.keys(fileNames) as (keyof typeof fileNames)[]) {
    if (before?.[name] !== now[name]) await replaceFile(join(folder, fileNames[name]), now[name]);
  }
}

/** Nobody ever reads half a file. */
async function replaceFile(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
