/** A claim's spec as Go prints the struct in an error: all fields, under their Go names and in Go's order. */
import type { JsonObject, JsonValue } from '@flotilla/kube';
import type { DeviceRequest, ExactRequest, ResourceClaimSpec, SubRequest } from './device-claim-fields.ts';

export function claimSpecInGo({ devices = {} }: ResourceClaimSpec): JsonObject {
  return {
    Devices: {
      Requests: listInGo(devices.requests ?? undefined, requestInGo),
      Constraints: listInGo(devices.constraints, ({ requests, matchAttribute, distinctAttribute }) => ({
        Requests: requests === undefined ? null : [...requests],
        MatchAttribute: matchAttribute ?? null,
        DistinctAttribute: distinctAttribute ?? null,
      })),
      Config: listInGo(devices.config, ({ requests, opaque }) => ({
        Requests: requests === undefined ? null : [...requests],
        Opaque: opaque === undefined ? null : { Driver: opaque.driver ?? '', Parameters: opaque.parameters ?? null },
      })),
    },
  };
}

function requestInGo({ name = '', exactly, firstAvailable }: DeviceRequest): JsonObject {
  return {
    Name: name,
    Exactly: exactly === undefined ? null : exactInGo(exactly),
    FirstAvailable: listInGo(firstAvailable, subRequestInGo),
  };
}

function exactInGo(request: ExactRequest): JsonObject {
  return {
    ...selectionInGo(request),
    AdminAccess: request.adminAccess ?? null,
    ...demandsInGo(request),
  };
}

function subRequestInGo(request: SubRequest): JsonObject {
  return { Name: request.name ?? '', ...selectionInGo(request), ...demandsInGo(request) };
}

function selectionInGo({ deviceClassName = '', selectors, allocationMode = '', count = 0 }: ExactRequest): JsonObject {
  return {
    DeviceClassName: deviceClassName,
    Selectors: listInGo(selectors, ({ cel }) => ({
      CEL: cel === undefined ? null : { Expression: cel.expression ?? '' },
    })),
    AllocationMode: allocationMode,
    Count: count,
  };
}

function demandsInGo({ tolerations, capacity }: ExactRequest): JsonObject {
  return {
    Tolerations: listInGo(tolerations, ({ key = '', operator = '', value = '', effect = '', tolerationSeconds }) => ({
      Key: key,
      Operator: operator,
      Value: value,
      Effect: effect,
      TolerationSeconds: tolerationSeconds ?? null,
    })),
    Capacity:
      capacity === undefined ? null : { Requests: capacity.requests === undefined ? null : { ...capacity.requests } },
  };
}

function listInGo<Item>(items: readonly Item[] | undefined, inGo: (item: Item) => JsonValue): JsonValue {
  return items === undefined ? null : items.map(inGo);
}
