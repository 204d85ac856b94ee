/** Requirements and preferences for properties of clusters: names, operators, and whether any value meets them together. */
import { resourcePropertyPrefix, type PropertyRequirement, type PropertySorter } from '@flotilla/api';
import {
  aggregate,
  dns1123SubdomainProblems,
  parseQuantity,
  qualifiedNameProblems,
  quote,
  QuantityError,
  type Quantity,
} from '@flotilla/kube';

const capacityTypes = ['allocatable', 'available', 'total'];

export function requirementProblems(requirements: readonly PropertyRequirement[]): string[] {
  const problems: string[] = [];
  const byName = new Map<string, PropertyRequirement[]>();
  for (const requirement of requirements) {
    const { name } = requirement;
    const wrongName = propertyNameProblem(name);
    if (wrongName !== undefined) problems.push(`invalid property name ${name}: ${wrongName}`);
    const wrongValue = operatorProblem(requirement);
    if (wrongValue !== undefined) problems.push(`invalid requirement on property ${name}: ${wrongValue}`);
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [requirement]);
    else same.push(requirement);
  }
  for (const [name, same] of byName) {
    const conflict = same.length < 2 ? undefined : conflictIn(same);
    if (conflict !== undefined) problems.push(`inconsistent requirements on property ${name}: ${conflict}`);
  }
  return problems;
}

export function sorterProblems({ name, sortOrder }: PropertySorter): string[] {
  const wrongName = propertyNameProblem(name);
  const isKnown = sortOrder === 'Ascending' || sortOrder === 'Descending';
  return [
    ...(wrongName === undefined ? [] : [wrongName]),
    ...(isKnown ? [] : [`invalid property sort order ${String(sortOrder)}`]),
  ];
}

function propertyNameProblem(name: string): string | undefined {
  if (name.startsWith(resourcePropertyPrefix)) return resourceNameProblem(name);
  const [first = '', ...others] = name.split('/');
  if (others.length === 0) return invalidName('property name', name);
  const [noDomain, noName] = [dns1123SubdomainProblems(first), qualifiedNameProblems(first)];
  if (noDomain.length > 0 && noName.length > 0) {
    return `property name first segment ${first} is not valid: it is neither a valid DNS subdomain (${noDomain.join('; ')}) nor a valid qualified name (${noName.join('; ')})`;
  }
  for (const segment of others) {
    const problem = invalidName('property name segment', segment);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function resourceNameProblem(name: string): string | undefined {
  const [type, resource] = splitOnce(name.slice(resourcePropertyPrefix.length));
  if (resource === undefined) {
    return `invalid resource property name ${name}, expected format is [PREFIX]/[CAPACITY_TYPE]-[RESOURCE_NAME]`;
  }
  if (!capacityTypes.includes(type)) {
    return `invalid capacity type in resource property name ${name}, supported values are [${capacityTypes.join(' ')}]`;
  }
  return invalidName('property name', name);
}

function splitOnce(text: string): readonly [string, string?] {
  const at = text.indexOf('-');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function invalidName(what: string, name: string): string | undefined {
  const problems = qualifiedNameProblems(name);
  return problems.length === 0 ? undefined : `${what} ${name} is not valid: ${problems.join('; ')}`;
}

const operators: ReadonlySet<string> = new Set(['Gt', 'Ge', 'Lt', 'Le', 'Eq', 'Ne']);

function operatorProblem({ operator, values }: PropertyRequirement): string | undefined {
  if (!operators.has(operator)) return `unsupported operator ${operator}`;
  if (values.length !== 1) return `operator ${operator} requires exactly one value, got ${values.length}`;
  const [value = ''] = values;
  try {
    parseQuantity(value);
    return undefined;
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    return `value ${quote(value)} is not a valid resource.Quantity: ${error.message}`;
  }
}

interface Bound {
  readonly value: Quantity;
  readonly isStrict: boolean;
}

/** Why no value meets all requirements for one property. Ignores requirements that are invalid by themselves. */
function conflictIn(requirements: readonly PropertyRequirement[]): string | undefined {
  let lower: Bound | undefined;
  let upper: Bound | undefined;
  let equal: Quantity | undefined;
  const excluded: Quantity[] = [];
  for (const requirement of requirements) {
    if (operatorProblem(requirement) !== undefined) continue;
    const { operator } = requirement;
    const value = parseQuantity(requirement.values[0] ?? '');
    const bound = { value, isStrict: operator === 'Gt' || operator === 'Lt' };
    if (operator === 'Ne') excluded.push(value);
    else if (operator === 'Gt' || operator === 'Ge') lower = narrower(bound, lower, 1);
    else if (operator === 'Lt' || operator === 'Le') upper = narrower(bound, upper, -1);
    else if (equal !== undefined && equal.compare(value) !== 0) {
      return `conflicting Eq values ${equal.toString()} and ${value.toString()}`;
    } else equal = value;
  }
  return equal === undefined ? emptyInterval(lower, upper) : conflictWith(equal, excluded, lower, upper);
}

/** The stricter of two bounds; `sign` is 1 for lower bounds. */
function narrower(bound: Bound, known: Bound | undefined, sign: 1 | -1): Bound {
  if (known === undefined) return bound;
  const order = bound.value.compare(known.value) * sign;
  return order > 0 || (order === 0 && bound.isStrict) ? bound : known;
}

function emptyInterval(lower: Bound | undefined, upper: Bound | undefined): string | undefined {
  if (lower === undefined || upper === undefined) return undefined;
  const order = lower.value.compare(upper.value);
  const isEmpty = order > 0 || (order === 0 && (lower.isStrict || upper.isStrict));
  return isEmpty
    ? `lower bound (${lower.value.toString()}) and upper bound (${upper.value.toString()}) exclude all values`
    : undefined;
}

function conflictWith(
  equal: Quantity,
  excluded: readonly Quantity[],
  lower: Bound | undefined,
  upper: Bound | undefined,
): string | undefined {
  if (excluded.some((value) => value.compare(equal) === 0)) {
    return `conflicting Eq and Ne on same value ${equal.toString()}`;
  }
  const empty = emptyInterval(lower, upper);
  if (empty !== undefined) return empty;
  if (lower !== undefined && isBeyond(lower, equal, 1)) {
    return `eq value ${equal.toString()} violates lower bound ${lower.value.toString()}`;
  }
  if (upper !== undefined && isBeyond(upper, equal, -1)) {
    return `eq value ${equal.toString()} violates upper bound ${upper.value.toString()}`;
  }
  return undefined;
}

function isBeyond({ value, isStrict }: Bound, equal: Quantity, sign: 1 | -1): boolean {
  const order = equal.compare(value) * sign;
  return order < 0 || (order === 0 && isStrict);
}

/** Several problems as one, in the form of Go's aggregates. */
export function joined(problems: readonly string[]): string[] {
  return problems.length === 0 ? [] : [aggregate(problems)];
}
