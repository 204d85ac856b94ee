import type { Job } from '../kinds.ts';
import { countCommon, countIndexes, parseIndexes, type IndexRanges } from './index-ranges.ts';

/** The first rule of the success policy that is met, by its position. */
export function metRule({ spec }: Readonly<Job>, succeeded: IndexRanges): number | undefined {
  if (succeeded.length === 0) return undefined;
  const completions = spec?.completions ?? 0;
  const index = (spec?.successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) return countIndexes(succeeded) >= (succeededCount ?? Infinity);
    const required = parseIndexes(succeededIndexes, completions);
    if (required.length === 0) return false;
    const common = countCommon(required, succeeded);
    return common === countIndexes(required) || common >= (succeededCount ?? Infinity);
  });
  return index < 0 ? undefined : index;
}
