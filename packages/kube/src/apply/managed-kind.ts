import type { JsonObject } from '../json/value.ts';
import type { FieldFilter } from './field-filter.ts';
import type { MergeType } from './merge-type.ts';

/** What field management must know of the endpoint that is written through. */
export interface ManagedKind {
  /** Of the request, and of every object that is handed over. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for the object itself. */
  readonly subresource?: string;
  /**
   * The object before anybody set a field, as the server writes it: for built-in kinds Go's zero value, in which structs
   * and lists that are never left out are there already (`{"metadata":{},"spec":{"containers":null},"status":{}}`), so
   * that nobody owns them for having filled them; for custom resources only apiVersion and kind.
   */
  readonly blank: JsonObject;
  /** Undefined for versions that are not served: who wrote in one of those is forgotten. */
  readonly typeOf: (apiVersion: string) => MergeType | undefined;
  /** To another version of the kind; undefined when there is no way. Not needed where there is one version. */
  readonly convert?: (object: JsonObject, apiVersion: string) => JsonObject | undefined;
  /**
   * Tells fields of the object that may have any type: they have not been validated, and the endpoint drops them before
   * validation does. Absent: types were checked when the object was decoded.
   */
  readonly isUnchecked?: (field: string) => boolean;
  /** Keeps what this endpoint writes. */
  readonly writable?: FieldFilter;
  /**
   * Whether `writable` holds in the version of the request alone, as it does for custom resources in kube-apiserver: managers of other
   * versions then lose fields that the request changes and the endpoint drops.
   */
  readonly isWritableInOwnVersion?: boolean;
}
