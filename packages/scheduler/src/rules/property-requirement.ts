import type { PropertyRequirement } from '@flotilla/api';
import { amountIn, type Amount } from '../amount.ts';
import { Unreadable, type ClusterRow } from '../cluster-row.ts';
import { propertyNameProblem } from '../property.ts';

/** By operator: whether the sign of the comparison between the cluster's and the wanted amount fits. */
const fitsByOperator: ReadonlyMap<string, (comparison: number) => boolean> = new Map([
  ['Gt', (comparison: number) => comparison > 0],
  ['Ge', (comparison: number) => comparison >= 0],
  ['Eq', (comparison: number) => comparison === 0],
  ['Ne', (comparison: number) => comparison !== 0],
  ['Le', (comparison: number) => comparison <= 0],
  ['Lt', (comparison: number) => comparison < 0],
]);

/** A requirement for a property. No cluster meets one that makes no sense; KubeFleet stops scheduling the placement then. */
export class CompiledPropertyRequirement {
  readonly property: string;
  readonly text: string;
  readonly problem: string | undefined;
  readonly #fits: ((comparison: number) => boolean) | undefined;
  readonly #wanted: Amount | undefined;

  constructor({ name, operator, values }: PropertyRequirement) {
    const [value = ''] = values ?? [];
    this.property = name;
    this.text = `${name} ${operator} ${(values ?? []).join(', ')}`;
    this.#fits = fitsByOperator.get(operator);
    this.#wanted = values?.length === 1 ? amountIn(value) : undefined;
    this.problem = propertyNameProblem(name) ?? this.#comparisonProblem(operator, values ?? []);
  }

  /** A cluster that does not report the property never matches, not even Ne. */
  matches(row: ClusterRow): boolean {
    if (this.#fits === undefined || this.#wanted === undefined) return false;
    const reading = row.reading(this.property);
    if (reading === undefined || reading instanceof Unreadable) return false;
    return this.#fits(reading.compare(this.#wanted));
  }

  #comparisonProblem(operator: string, values: readonly string[]): string | undefined {
    if (this.#fits === undefined) return `operator ${operator} is not one of ${[...fitsByOperator.keys()].join(', ')}`;
    if (values.length !== 1) return `there must be one value, not ${values.length}`;
    return this.#wanted === undefined ? `value ${values[0]} is not a quantity` : undefined;
  }
}
