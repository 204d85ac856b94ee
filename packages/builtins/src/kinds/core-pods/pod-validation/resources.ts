/** Requests and limits of containers and pods, and the claims that containers name. */
import { duplicate, forbidden, invalid, notFound, parseQuantity, required, type FieldError } from '@flotilla/kube';
import type { ResourceList, ResourceRequirementsFields } from '../pod-fields.ts';
import { compareQuantities, isNegative } from '../resource-lists.ts';
import { checkDnsLabel } from './checks.ts';
import { checkContainerResourceName, isCounted, isHugePages, mayBeOvercommitted } from './resource-names.ts';

type NameCheck = (errors: FieldError[], path: string, name: string) => void;

const noClaims: ReadonlySet<string> = new Set();

/** `claimNames`: the claims of the pod. `checkName`: validates the names of resources. */
export function checkResources(
  errors: FieldError[],
  path: string,
  resources: ResourceRequirementsFields | undefined,
  claimNames: ReadonlySet<string> = noClaims,
  checkName: NameCheck = checkContainerResourceName,
): void {
  if (resources === undefined) return;
  const { limits, requests, claims } = resources;
  if (limits !== undefined) checkList(errors, `${path}.limits`, limits, checkName);
  if (requests !== undefined) checkRequests(errors, path, requests, limits ?? {}, checkName);
  const names = [...Object.keys(limits ?? {}), ...Object.keys(requests ?? {})];
  if (names.some(isHugePages) && !names.some((name) => name === 'cpu' || name === 'memory')) {
    errors.push(forbidden(path, 'HugePages require cpu or memory'));
  }
  if (claims !== undefined) checkClaims(errors, `${path}.claims`, claims, claimNames);
}

function checkList(errors: FieldError[], path: string, list: ResourceList, checkName: NameCheck): void {
  for (const [name, quantity] of Object.entries(list)) {
    const at = `${path}[${name}]`;
    checkName(errors, at, name);
    checkQuantity(errors, at, name, quantity);
    checkPages(errors, at, name, quantity);
  }
}

function checkPages(errors: FieldError[], path: string, name: string, quantity: string): void {
  if (isHugePages(name) && !isMultipleOfPage(name, quantity)) {
    errors.push(invalid(path, quantity, `${quantity} is not positive integer multiple of ${name}`));
  }
}

function checkRequests(
  errors: FieldError[],
  path: string,
  requests: ResourceList,
  limits: ResourceList,
  checkName: NameCheck,
): void {
  for (const [name, quantity] of Object.entries(requests)) {
    const at = `${path}.requests[${name}]`;
    checkName(errors, at, name);
    checkQuantity(errors, at, name, quantity);
    const limit = Object.hasOwn(limits, name) ? limits[name] : undefined;
    if (limit !== undefined) checkWithinLimit(errors, `${path}.requests`, name, quantity, limit);
    else if (!mayBeOvercommitted(name)) {
      errors.push(required(`${path}.limits`, 'Limit must be set for non overcommitable resources'));
    }
    checkPages(errors, at, name, quantity);
  }
}

function checkWithinLimit(errors: FieldError[], path: string, name: string, request: string, limit: string): void {
  const order = request === limit ? 0 : compareQuantities(request, limit);
  if (order !== 0 && !mayBeOvercommitted(name)) {
    errors.push(invalid(path, request, `must be equal to ${name} limit of ${limit}`));
  } else if (order > 0) {
    errors.push(invalid(path, request, `must be less than or equal to ${name} limit of ${limit}`));
  }
}

/** Quantities must not be negative, and whole for counted resources. */
export function checkQuantity(errors: FieldError[], path: string, name: string, quantity: string): void {
  if (isNegative(quantity)) {
    errors.push(invalid(path, quantity, 'must be greater than or equal to 0'));
  }
  if (isCounted(name) && !isWhole(quantity)) errors.push(invalid(path, quantity, 'must be an integer'));
}

function isWhole(quantity: string): boolean {
  return parseQuantity(quantity).isMultipleOf(0);
}

function isMultipleOfPage(name: string, quantity: string): boolean {
  const size = pageSize(name);
  return size !== undefined && parseQuantity(quantity).value() % size === 0n;
}

/** `hugepages-2Mi` are pages of 2 MiB. */
function pageSize(name: string): bigint | undefined {
  try {
    const size = parseQuantity(name.slice('hugepages-'.length));
    return size.value() > 0n && size.milliValue() % 1000n === 0n ? size.value() : undefined;
  } catch {
    return undefined;
  }
}

/** A container uses a claim of the pod as a whole, or single requests in it, each once. */
function checkClaims(
  errors: FieldError[],
  path: string,
  claims: NonNullable<ResourceRequirementsFields['claims']>,
  claimNames: ReadonlySet<string>,
): void {
  const used: UsedClaims = { seen: new Set(), requestsOf: new Map() };
  claims.forEach(({ name, request }, i) => {
    const at = `${path}[${i}]`;
    if (!name) return void errors.push(required(at));
    if (used.seen.has(name)) errors.push(duplicate(at, name));
    else checkClaimRequest(errors, at, name, request, used);
    if (!claimNames.has(name)) errors.push(unknownClaim(at, name, claimNames));
  });
}

interface UsedClaims {
  /** Claims, and requests in them. */
  readonly seen: Set<string>;
  /** How many requests of each claim are used. */
  readonly requestsOf: Map<string, number>;
}

function checkClaimRequest(
  errors: FieldError[],
  path: string,
  name: string,
  request: string | undefined,
  { seen, requestsOf }: UsedClaims,
): void {
  if (request) checkDnsLabel(errors, `${path}.request`, request);
  const key = request ? `${name}/${request}` : name;
  if (seen.has(key)) errors.push(duplicate(path, key));
  else if (request) requestsOf.set(name, (requestsOf.get(name) ?? 0) + 1);
  // The whole claim duplicates each request in it that precedes.
  else for (let count = requestsOf.get(name) ?? 0; count > 0; count--) errors.push(duplicate(path, name));
  seen.add(key);
}

function unknownClaim(path: string, name: string, claimNames: ReadonlySet<string>): FieldError {
  const known = claimNames.size === 0 ? ' which is empty' : `: ${[...claimNames].sort().join(', ')}`;
  const { type, field, body } = notFound(path, name);
  return { type, field, body: `${body}: must be one of the names in pod.spec.resourceClaims${known}` };
}
