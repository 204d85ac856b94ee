import type { JsonObject } from '@flotilla/kube';

/** Version 3 documents have `components.schemas`, version 2 documents `definitions`. */
export type OpenApiForm = 'v3' | 'v2';

/** The keywords of an OpenAPI schema that Kubernetes' built-in kinds need. */
export interface OpenApiSchema extends JsonObject {
  description?: string;
  type?: string;
  format?: string;
  $ref?: string;
}
