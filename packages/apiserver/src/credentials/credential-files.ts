import { open, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders } from '../store/disk/make-folders.ts';
import {
  checkCredentials,
  credentialFiles,
  credentialNames,
  secretNames,
  type CredentialName,
  type CredentialTexts,
} from './check-credentials.ts';
import { completeCredentials, freshCredentials, renewedCredentials, type CredentialSet } from './credentials.ts';
import { UnusableCredentials } from './unusable-credentials.ts';

export function keyFolder(directory: string): string {
  return join(directory, 'pki');
}

/** Where a first start keeps the keys until its first data is stored. */
function unfinishedFolder(directory: string): string {
  return join(directory, 'pki.new');
}

/** Does not check the keys. */
export async function findKeys(directory: string): Promise<'none' | 'unfinished' | 'complete'> {
  if (hasAny(await readTexts(keyFolder(directory)))) return 'complete';
  return hasAny(await readTexts(unfinishedFolder(directory))) ? 'unfinished' : 'none';
}

/** Makes the keys of a new directory. A start that is interrupted before `finishCredentials` makes others. */
export async function makeCredentials(directory: string, hosts: readonly string[], now: Date): Promise<CredentialSet> {
  await removeEmpty(keyFolder(directory));
  const folder = unfinishedFolder(directory);
  await rm(folder, { recursive: true, force: true });
  const made = await freshCredentials(hosts, now);
  await writeTexts(folder, {}, textsOf(made));
  return made;
}

/** Caller must have stored the first data. */
export async function finishCredentials(directory: string): Promise<void> {
  const folder = keyFolder(directory);
  await removeEmpty(folder);
  await rename(unfinishedFolder(directory), folder);
  await syncFolder(directory);
}

/** A folder without keys of ours may contain files of the user. */
async function removeEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return;
    throw new UnusableCredentials(`${folder} has none of the keys, but something else; move it away`, { cause: error });
  });
}

/**
 * Loads the credentials of a data directory, readable only by their owner. Renews certificates that are due or do not name the
 * hosts, and issues missing ones. Never replaces keys. Throws `UnusableCredentials`.
 */
export async function loadCredentials(
  directory: string,
  hosts: readonly string[],
  now: Date,
  known?: CredentialSet,
): Promise<CredentialSet> {
  const folder = keyFolder(directory);
  if (known) {
    const withKey = await withAuthorityKey(folder, known);
    const renewed = await renewedCredentials(withKey, hosts, now);
    if (renewed !== withKey) await writeTexts(folder, textsOf(known), textsOf(renewed));
    return renewed;
  }
  const texts = await readTexts(folder);
  await refuseSharedSecrets(folder, texts);
  const complete = await completeCredentials(checkCredentials(texts, fileIn(folder)), hosts, now, folder);
  await writeTexts(folder, texts, textsOf(complete));
  return complete;
}

/** The contents of all existing files, for a backup. */
export function readKeyFiles(directory: string): Promise<CredentialTexts> {
  return readTexts(keyFolder(directory));
}

/** Writes the files of a backup. The directory must have no keys. */
export async function writeKeyFiles(directory: string, texts: CredentialTexts): Promise<void> {
  await writeTexts(keyFolder(directory), {}, texts);
}

/** An authority key that is stored elsewhere may have been put back for a renewal. */
async function withAuthorityKey(folder: string, known: CredentialSet): Promise<CredentialSet> {
  if (known.authorityKey !== undefined) return known;
  const texts = await readTexts(folder);
  if (texts.authorityKey === undefined) return known;
  await refuseSharedSecrets(folder, texts);
  const { authorityKey } = checkCredentials(texts, fileIn(folder));
  return { ...known, authorityKey };
}

function fileIn(folder: string): (name: CredentialName) => string {
  return (name) => join(folder, credentialFiles[name]);
}

function hasAny(texts: CredentialTexts): boolean {
  return Object.keys(texts).length > 0;
}

async function readTexts(folder: string): Promise<CredentialTexts> {
  const entries = await Promise.all(
    credentialNames.map(async (name) => {
      const text = await textIn(fileIn(folder)(name));
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
  return Object.fromEntries(entries.flat());
}

async function textIn(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // The store reports a path that leads through a file.
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    const remedy =
      code === 'EACCES' ? '; start as the user that it belongs to, or name another directory with --data-dir' : '';
    throw new UnusableCredentials(`cannot read ${file}: ${message}${remedy}`, { cause: error });
  }
}

/** Refuses secrets that other users can read: they may be compromised. */
async function refuseSharedSecrets(folder: string, texts: CredentialTexts): Promise<void> {
  for (const name of secretNames) {
    if (texts[name] === undefined) continue;
    const file = fileIn(folder)(name);
    const mode = (await stat(file)).mode & 0o777;
    if ((mode & 0o077) === 0) continue;
    throw new UnusableCredentials(
      `${file} is a secret that other users can read (mode ${mode.toString(8)}); ` +
        `if none of them has read it, run: chmod 600 ${join(folder, '*')}`,
    );
  }
}

function textsOf({ server, admin, authorityKey, tokenKey, token }: CredentialSet): CredentialTexts {
  return {
    authority: server.authority,
    ...(authorityKey !== undefined && { authorityKey }),
    serverKey: server.key,
    serverCertificate: server.certificate,
    adminKey: admin.key,
    adminCertificate: admin.certificate,
    tokenKey,
    token: `${token}\n`,
  };
}

/** Writes the files that changed. Deletes none: a file without a new text stays. */
async function writeTexts(folder: string, before: CredentialTexts, now: CredentialTexts): Promise<void> {
  const changed = credentialNames.filter(
    (name) => now[name] !== undefined && before[name]?.trim() !== now[name].trim(),
  );
  if (changed.length === 0) return;
  makeFolders(folder);
  for (const name of changed) await replaceFile(fileIn(folder)(name), now[name]!);
  await syncFolder(folder);
}

/** Readers see the old file or the new one, even after a crash. */
async function replaceFile(file: string, text: string): Promise<void> {
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
