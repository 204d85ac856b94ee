import { explainAccessError } from '../explain-access-error.ts';
import { UserError } from '../user-error.ts';

/** Does something with each item. One that fails does not keep the others: all failures are reported together, at the end. */
export async function forAll<T>(items: readonly T[], action: (item: T) => Promise<void>): Promise<void> {
  const failures: string[] = [];
  for (const item of items) {
    await action(item).catch((error: unknown) => {
      const explained = explainAccessError(error);
      if (!(explained instanceof UserError)) throw error;
      failures.push(explained.message);
    });
  }
  if (failures.length > 0) throw new UserError(failures.join('\n'));
}
