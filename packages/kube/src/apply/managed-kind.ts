import type { JsonObject } from '../json/value.ts';
import type { FieldFilter } from './field-filter.ts';
import type { MergeType } from './merge-type.ts';

/** What field management needs to know of an endpoint. */
export interface ManagedKind {
  /** Of the request, and of every object that is passed. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for the main resource. */
  readonly subresource?: string;
  /**
   * The object before any field was set, as the server encodes it. For built-in kinds this is Go's zero value, with
   * the structs and lists that are always encoded (`{"metadata":{},"spec":{"containers":null},"status":{}}`). So
   * filling them gives no ownership. For custom resources it has only apiVersion and kind.
   */
  readonly blank: JsonObject;
  /** Undefined for versions that are not served. Their managers are dropped. */
  readonly typeOf: (apiVersion: string) => MergeType | undefined;
  /** Converts to another version of the kind; undefined if that is impossible. Not needed for a single version. */
  readonly convert?: (object: JsonObject, apiVersion: string) => JsonObject | undefined;
  /**
   * Whether a field may have any type, because the endpoint drops it before validation. Absent: decoding checked all
   * types.
   */
  readonly isUnchecked?: (field: string) => boolean;
  /** Keeps the fields that this endpoint writes. */
  readonly writable?: FieldFilter;
  /**
   * Whether `writable` only applies to the version of the request, as for custom resources in kube-apiserver.
   * Managers of other versions then lose fields that the request changes and the endpoint drops.
   */
  readonly isWritableInOwnVersion?: boolean;
}
