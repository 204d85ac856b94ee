import { aggregateResources, type PodFields, type PodSpecFields, type ResourceList } from '@flotilla/builtins';
import { parseQuantity, Quantity } from '@flotilla/kube';
import type { ClaimFields, LimitFields, LimitRangeFields } from './limit-range-fields.ts';

/** Larger values in thousandths overflow an int64, so whole units are compared. */
const maxMilliValue = (2n ** 63n - 1n) / 1000n;

type Amounts = ReadonlyMap<string, Quantity>;

/** The resources of a container, pod or claim. */
interface Resources {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** One bound of a LimitRange item. */
interface Bound {
  readonly type: string;
  readonly resource: string;
  readonly enforced: Quantity;
}

type Constraint = (bound: Bound, resources: Resources) => string | undefined;

export function podRefusals({ spec }: PodFields, { spec: range }: LimitRangeFields): string[] {
  return (range?.limits ?? []).flatMap((limit) => {
    if (limit.type === 'Pod') return refusalsBy(limit, podResources(spec));
    if (limit.type !== 'Container') return [];
    const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
    return containers.flatMap(({ resources = {} }) =>
      refusalsBy(limit, { requests: amountsOf(resources.requests), limits: amountsOf(resources.limits) }),
    );
  });
}

/** Only requests of a claim count. */
export function claimRefusals({ spec }: ClaimFields, { spec: range }: LimitRangeFields): string[] {
  const resources: Resources = { requests: amountsOf(spec.resources?.requests), limits: new Map() };
  return (range?.limits ?? [])
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap((limit) => [
      ...refusals(limit.type, limit.min, resources, atLeast),
      ...refusals(limit.type, limit.max, resources, requestAtMost),
    ]);
}

function refusalsBy({ type, min, max, maxLimitRequestRatio }: LimitFields, resources: Resources): string[] {
  return [
    ...refusals(type, min, resources, atLeast),
    ...refusals(type, max, resources, atMost),
    ...refusals(type, maxLimitRequestRatio, resources, ratioAtMost),
  ];
}

function refusals(
  type: string,
  bounds: ResourceList | undefined,
  resources: Resources,
  constraint: Constraint,
): string[] {
  return Object.entries(bounds ?? {}).flatMap(
    ([resource, text]) => constraint({ type, resource, enforced: parseQuantity(text) }, resources) ?? [],
  );
}

const atLeast: Constraint = ({ type, resource, enforced }, { requests, limits }) => {
  const request = requests.get(resource);
  const limit = limits.get(resource);
  const [requested, limited, wanted] = comparable(request, limit, enforced);
  const rule = `minimum ${resource} usage per ${type} is ${enforced.toString()}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  if (requested < wanted) return `${rule}, but request is ${request.toString()}`;
  return limit !== undefined && limited < wanted ? `${rule}, but limit is ${limit.toString()}` : undefined;
};

const atMost: Constraint = ({ type, resource, enforced }, { requests, limits }) => {
  const request = requests.get(resource);
  const limit = limits.get(resource);
  const [requested, limited, allowed] = comparable(request, limit, enforced);
  const rule = `maximum ${resource} usage per ${type} is ${enforced.toString()}`;
  if (limit === undefined) return `${rule}.  No limit is specified`;
  if (limited > allowed) return `${rule}, but limit is ${limit.toString()}`;
  return request !== undefined && requested > allowed ? `${rule}, but request is ${request.toString()}` : undefined;
};

const requestAtMost: Constraint = ({ type, resource, enforced }, { requests }) => {
  const request = requests.get(resource);
  const [requested, , allowed] = comparable(request, undefined, enforced);
  const rule = `maximum ${resource} usage per ${type} is ${enforced.toString()}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  return requested > allowed ? `${rule}, but request is ${request.toString()}` : undefined;
};

const ratioAtMost: Constraint = ({ type, resource, enforced }, { requests, limits }) => {
  const [requested, limited] = comparable(requests.get(resource), limits.get(resource), enforced);
  const rule = `${resource} max limit to request ratio per ${type} is ${enforced.toString()}`;
  if (requested === 0n) return `${rule}, but no request is specified or request is 0`;
  if (limited === 0n) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = Number(limited) / Number(requested);
  const isExact = enforced.value() <= maxMilliValue;
  const exceeds = isExact ? ratio * 1000 > Number(enforced.milliValue()) : ratio > Number(enforced.value());
  return exceeds ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
};

/** Request, limit and bound in one unit: thousandths if all fit. An absent value is zero. */
function comparable(
  request: Quantity = Quantity.zero,
  limit: Quantity = Quantity.zero,
  enforced: Quantity,
): [bigint, bigint, bigint] {
  const isExact = [request, limit, enforced].every((quantity) => quantity.value() <= maxMilliValue);
  return isExact
    ? [request.milliValue(), limit.milliValue(), enforced.milliValue()]
    : [request.value(), limit.value(), enforced.value()];
}

function amountsOf(list: ResourceList = {}): Amounts {
  return new Map(Object.entries(list).map(([name, text]) => [name, parseQuantity(text)]));
}

/** CPU and memory of the pod's own resources, if set, override the sums of its containers. */
function podResources(spec: PodSpecFields): Resources {
  return { requests: podTotals(spec, 'requests'), limits: podTotals(spec, 'limits') };
}

function podTotals(spec: PodSpecFields, which: 'requests' | 'limits'): Amounts {
  const totals = new Map([...aggregateResources(spec, which)].map(([name, text]) => [name, parseQuantity(text)]));
  for (const name of ['cpu', 'memory']) {
    const own = spec.resources?.[which]?.[name];
    if (own !== undefined) totals.set(name, parseQuantity(own));
  }
  return totals;
}
