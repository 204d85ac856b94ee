import { duplicate, tooMany, type FieldError } from '@flotilla/kube';
import { repeatsIn } from '../repeats.ts';

type ItemCheck<Item> = (item: Item, path: string) => FieldError[];

/** Lists of this group are bounded; one that is too long is not looked into. */
export function validateItems<Item>(
  items: readonly Item[],
  max: number,
  check: ItemCheck<Item>,
  path: string,
): FieldError[] {
  if (items.length > max) return [tooMany(path, items.length, max)];
  return items.flatMap((item, index) => check(item, `${path}[${index}]`));
}

/** Repetitions are reported after everything else about the list. */
export function validateSet<Item>(
  items: readonly Item[],
  max: number,
  check: ItemCheck<Item>,
  keyOf: (item: Item) => string,
  path: string,
): FieldError[] {
  const errors = validateItems(items, max, check, path);
  if (items.length > max) return errors;
  const keys = items.map(keyOf);
  const repeats = repeatsIn(keys);
  keys.forEach((key, index) => {
    if (repeats.has(index)) errors.push(duplicate(`${path}[${index}]`, key));
  });
  return errors;
}
