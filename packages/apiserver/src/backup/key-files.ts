/** The keys of a data directory as files of a backup. */
import { credentialFiles, credentialNames, type CredentialTexts } from '../credentials/check-credentials.ts';
import type { AddedFiles } from './added-files.ts';

const prefix = 'pki/';

export function filesOfKeys(texts: CredentialTexts): AddedFiles {
  const files = credentialNames.map((name) => [prefix + credentialFiles[name], texts[name]] as const);
  return Object.fromEntries(files.filter((file): file is [string, string] => file[1] !== undefined));
}

/** Ignores files with other names. */
export function keysInFiles(files: AddedFiles): CredentialTexts {
  const texts = credentialNames.map((name) => [name, files[prefix + credentialFiles[name]]] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined));
}

/** Names of the files that a complete key folder also has. */
export function missingKeys(texts: CredentialTexts): string[] {
  return credentialNames.filter((name) => texts[name] === undefined).map((name) => credentialFiles[name]);
}
