import type { PlacementPolicy, PreferredTerm } from '@flotilla/api';
import type { LabelSelector } from '@flotilla/kube';
import { Unreadable, type ClusterRow } from '../cluster-row.ts';
import type { ClusterView, Range } from '../cluster-view.ts';
import { propertyNameProblem } from '../property.ts';
import type { Requirement, ScorePart } from './rule.ts';
import { compileLabels, labelRequirements } from './selector-term.ts';
import { limitedProblems, tooLarge, withinLimit } from './size-limits.ts';

interface CompiledPreference {
  /** Index in the policy. */
  readonly term: number;
  readonly weight: number;
  readonly labels: LabelSelector;
  readonly sorter?: { readonly property: string; readonly isDescending: boolean };
}

interface RangedPreference extends CompiledPreference {
  readonly range: Range | undefined;
}

/** Ranks clusters by the preferences of a PickN policy. Property selectors do not count here. */
export class PreferredAffinity {
  readonly problems: readonly string[];
  readonly #preferences: readonly CompiledPreference[];

  constructor(terms: readonly PreferredTerm[]) {
    const compiled = withinLimit(terms, ({ preference }) => preference).map(({ term, isWithin }) =>
      isWithin ? compilePreference(term) : { problem: tooLarge },
    );
    this.#preferences = compiled.flatMap((one, term) =>
      'problem' in one || one.weight === 0 ? [] : [{ ...one, term }],
    );
    this.problems = limitedProblems(
      compiled.flatMap((one, index) =>
        'problem' in one ? [`preferred cluster affinity term ${index} is ignored: ${one.problem}`] : [],
      ),
    );
  }

  /** Undefined if the policy prefers nothing. */
  static of(policy: PlacementPolicy): PreferredAffinity | undefined {
    const terms = policy.affinity?.clusterAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    return terms.length === 0 ? undefined : new PreferredAffinity(terms);
  }

  /** Scores the clusters of this view. */
  scorer(view: ClusterView): (row: ClusterRow) => number {
    const preferences = this.#preferencesIn(view);
    return (row) => {
      let score = 0;
      for (const preference of preferences) {
        if (preference.labels.matches(row.labels)) score += share(preference, preference.range, row);
      }
      return score;
    };
  }

  /** What the scores of clusters are made of, without terms that add nothing. */
  explainer(view: ClusterView): (row: ClusterRow) => ScorePart[] {
    const preferences = this.#preferencesIn(view);
    return (row) =>
      preferences
        .filter(({ labels }) => labels.matches(row.labels))
        .map(({ range, ...preference }) => ({
          term: preference.term,
          weight: preference.weight,
          score: share(preference, range, row),
          requirements: [...labelRequirements(preference.labels, row, true), ...sorterRequirement(preference, row)],
        }))
        .filter(({ score }) => score !== 0);
  }

  #preferencesIn(view: ClusterView): RangedPreference[] {
    return (
      this.#preferences
        .map((preference) => ({ ...preference, range: preference.sorter && view.range(preference.sorter.property) }))
        // Without a difference there is nothing to share.
        .filter(({ range }) => range === undefined || range.min < range.max)
    );
  }
}

function sorterRequirement({ sorter }: CompiledPreference, row: ClusterRow): Requirement[] {
  if (sorter === undefined) return [];
  const { property, isDescending } = sorter;
  const reading = row.reading(property);
  const value = reading instanceof Unreadable ? reading.text : reading?.toString();
  const requirement = `${property} ${isDescending ? 'Descending' : 'Ascending'}`;
  return [{ about: 'property', requirement, ...(value !== undefined && { value }) }];
}

function compilePreference({
  weight,
  preference,
}: PreferredTerm): Omit<CompiledPreference, 'term'> | { readonly problem: string } {
  const { selector, problem } = compileLabels(preference.labelSelector);
  const { propertySorter } = preference;
  const wrong = problem ?? (propertySorter && propertyNameProblem(propertySorter.name));
  if (wrong !== undefined) return { problem: wrong };
  if (propertySorter === undefined) return { weight, labels: selector };
  const sorter = { property: propertySorter.name, isDescending: propertySorter.sortOrder === 'Descending' };
  return { weight, labels: selector, sorter };
}

/** With a sorter, the best cluster gets all of the weight, the worst nothing, the others a share by their distance. */
function share({ weight, sorter }: CompiledPreference, range: Range | undefined, row: ClusterRow): number {
  if (sorter === undefined || range === undefined) return weight;
  const reading = row.reading(sorter.property);
  if (reading === undefined || reading instanceof Unreadable) return 0;
  const { min, max } = range;
  // Amounts beyond a double have no distance.
  if (!Number.isFinite(max - min)) return 0;
  const distance = (reading.approximate - min) / (max - min);
  return roundAwayFromZero((sorter.isDescending ? distance : 1 - distance) * weight);
}

function roundAwayFromZero(value: number): number {
  return value < 0 ? -Math.round(-value) : Math.round(value);
}
