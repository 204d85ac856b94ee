import { UnusableCredentials } from './unusable-credentials.ts';

/** What a data directory has of each half. `unfinished`: a first start was cut off after it made its keys. */
interface Halves {
  readonly keys: 'none' | 'unfinished' | 'kept';
  readonly hasData: boolean;
  /** The user accepts that the missing half starts empty. */
  readonly isNew: boolean;
}

/**
 * Keys and data belong together: objects name accounts whose tokens the keys sign. A half alone is a mistake, a lost volume for
 * instance, and never a reason to make the other one.
 */
export function planKeys(directory: string, { keys, hasData, isNew }: Halves): 'make' | 'finish' | 'use' {
  if (keys === 'kept') {
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
      'or start with --new to make new keys, which ends every kubeconfig and token that the old ones signed',
  );
}
