/** The checks and defaults of placements and overrides. KubeFleet has them as webhooks, so refusals name these. */
import {
  clusterResourcePlacementDisruptionBudgets,
  clusterResourcePlacementEvictions,
  clusterResourcePlacements,
  families,
  overrideFamilies,
  type DisruptionBudget,
  type Eviction,
  type Override,
  type Placement,
  type PlacementFamily,
} from '@flotilla/api';
import {
  refusedBudget,
  refusedEviction,
  refusedOverride,
  refusedPlacement,
  withPlacementDefaults,
} from '@flotilla/controllers';
import {
  isJsonObject,
  jsonEquals,
  type GroupVersionKind,
  type JsonValue,
  type Kind,
  type KubeObject,
} from '@flotilla/kube';
import type { FleetCheck, FleetRequest, Found, Outcome, Read, Refusal } from './fleet-check.ts';

const createOrUpdate = ['CREATE', 'UPDATE'] as const;

/** Changes of metadata are never refused: a placement of a kind that is no longer served must lose its finalizers. */
export const changesSpecInCel =
  'oldObject == null || !has(object.spec) || !has(oldObject.spec) || object.spec != oldObject.spec';

/** Sets what users leave out. */
function placementDefaults({ placement }: PlacementFamily): FleetCheck {
  return {
    ...checkOf(placement),
    webhook: `fleet.${placement.kind.toLowerCase()}v1beta1.mutating`,
    phase: 'default',
    decide: ({ object }) => {
      if (object === undefined || !isJsonObject(object['spec'])) return undefined;
      const spec = withPlacementDefaults((object as Placement).spec);
      return { change: { spec: spec as unknown as JsonValue } };
    },
  };
}

function placementChecks(family: PlacementFamily): FleetCheck {
  return {
    ...checkOf(family.placement, 'v1beta1'),
    decide: (request) => {
      if (!changesSpec(request)) return undefined;
      const now = request.object as Placement;
      const old = request.oldObject as Placement | undefined;
      const kinds = selectedKinds([now, ...(old ? [old] : [])]);
      return {
        reads: [...kinds.values()].map((gvk): Read => ({ read: 'served kind', gvk })),
        decideWith: (found) => {
          const served = new Map([...kinds.keys()].map((text, index) => [text, found[index]?.kind]));
          return refusalOf(refusedPlacement({ family, now, old }, (gvk) => served.get(textOf(gvk))));
        },
      };
    },
  };
}

function selectedKinds(placements: readonly Placement[]): Map<string, GroupVersionKind> {
  const selectors = placements.flatMap(({ spec }) => spec.resourceSelectors);
  return new Map(
    selectors.map(({ group, version, kind }) => [textOf({ group, version, kind }), { group, version, kind }]),
  );
}

function textOf({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}

function overrideChecks(override: Kind): FleetCheck {
  return {
    ...checkOf(override),
    decide: (request) => {
      if (!changesSpec(request)) return undefined;
      const { operation, namespace, object } = request;
      return {
        reads: [{ read: 'objects', kind: override, namespace }],
        decideWith: ([found]) => {
          const existing = (found?.objects ?? []) as Override[];
          return refusalOf(refusedOverride({ isCreate: operation === 'CREATE', now: object as Override, existing }));
        },
      };
    },
  };
}

const evictionChecks: FleetCheck = {
  ...checkOf(clusterResourcePlacementEvictions),
  kinds: [{ kind: clusterResourcePlacementEvictions, subresources: [''], operations: ['CREATE'] }],
  decide: ({ object }) => ifPlacement((object as Eviction).spec.placementName, refusedEviction),
};

const budgetChecks: FleetCheck = {
  ...checkOf(clusterResourcePlacementDisruptionBudgets),
  decide: ({ object }) => {
    const budget = object as DisruptionBudget;
    return ifPlacement(budget.metadata.name ?? '', (placement) => refusedBudget(budget, placement));
  },
};

/** The placement may not exist: an eviction or a budget may be older. */
function ifPlacement(name: string, refuse: (placement: Placement) => string | undefined): Outcome {
  return {
    reads: [{ read: 'object', kind: clusterResourcePlacements, key: { name } }],
    decideWith: ([found]: readonly Found[]) => {
      const [placement] = found?.objects ?? [];
      return placement && refusalOf(refuse(placement as Placement));
    },
  };
}

/** The webhook has the name of KubeFleet's: `fleet.clusterresourceplacementv1beta1.validating`. */
export function checkOf(kind: Kind, version = ''): Omit<FleetCheck, 'decide'> {
  return {
    webhook: `fleet.${kind.kind.toLowerCase()}${version}.validating`,
    phase: 'check',
    isGuard: false,
    kinds: [{ kind, subresources: [''], operations: createOrUpdate }],
    condition: changesSpecInCel,
  };
}

export function refusalOf(refusal: string | undefined): Refusal | undefined {
  return refusal === undefined ? undefined : { refusal };
}

export function changesSpec({ object, oldObject }: FleetRequest): boolean {
  return oldObject === undefined || !jsonEquals(specOf(object), specOf(oldObject));
}

function specOf(object: KubeObject | undefined): JsonValue {
  return object?.['spec'] ?? null;
}

export const placementAdmission: readonly FleetCheck[] = [
  ...families.map(placementDefaults),
  ...families.map(placementChecks),
  ...overrideFamilies.map(({ override }) => overrideChecks(override)),
  evictionChecks,
  budgetChecks,
];
