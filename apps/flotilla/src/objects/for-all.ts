import { ConnectionError } from '@flotilla/client';
import { explainAccessError } from '../explain-access-error.ts';
import { UserError } from '../user-error.ts';

/**
 * Does something with each item. One that fails does not keep the others, unless the server is gone: all failures are reported together,
 * at the end.
 */
export async function forAll<T>(items: readonly T[], action: (item: T) => Promise<void>): Promise<void> {
  const failures: string[] = [];
  for (const item of items) {
    try {
      await action(item);
    } catch (error) {
      const explained = explainAccessError(error);
      if (!(explained instanceof UserError)) throw error;
      if (error instanceof ConnectionError && failures.length === 0) throw error;
      failures.push(explained.message);
      if (error instanceof ConnectionError) break;
    }
  }
  if (failures.length > 0) throw new UserError(failures.join('\n'));
}
