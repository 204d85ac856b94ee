import { UnusableCredentials } from './unusable-credentials.ts';

/** `unfinished` keys: a first start was interrupted after it made its keys. */
interface DirectoryContents {
  readonly keys: 'none' | 'unfinished' | 'complete';
  readonly hasData: boolean;
  /** The user accepts that missing keys or data start anew. */
  readonly isNew: boolean;
}

/**
 * Keys and data belong together: objects name accounts whose tokens the keys sign. One without the other is a mistake, such as
 * a lost volume, so that the missing one is not made without the user's consent.
 */
export function planKeys(directory: string, { keys, hasData, isNew }: DirectoryContents): 'make' | 'finish' | 'use' {
  if (keys === 'complete') {
    if (hasData || isNew) return 'use';
    throw new UnusableCredentials(
      `the data directory ${directory} has keys but no data: its database flotilla.db is missing or empty; put it back, ` +
        'or restore a backup into another directory, or start with --new to begin without data',
    );
  }
  if (!hasData) return 'make';
  if (keys === 'unfinished') return 'finish';
  if (isNew) return 'make';
  throw new UnusableCredentials(
    `the data directory ${directory} has data but no keys: its folder pki is missing or empty; put it back from a backup, ` +
      'or start with --new to make new keys, which invalidates every kubeconfig and token that the old ones signed',
  );
}
