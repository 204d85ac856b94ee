import type { ApiResponse } from '@flotilla/kube';
import { bytesResponse, jsonBytes } from '../http/respond.ts';
import type { Store } from '../store/store.ts';

/**
 * kubectl looks through the CustomResourceDefinitions before it calls a kind unknown; from a server that cannot list them it
 * reports that instead of the user's typing error.
 */
export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** There are none. */
export function noDefinitions({ revision }: Store): ApiResponse {
  const list = {
    kind: 'CustomResourceDefinitionList',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { resourceVersion: String(revision) },
    items: [],
  };
  return bytesResponse(200, 'application/json', jsonBytes(list, false));
}
