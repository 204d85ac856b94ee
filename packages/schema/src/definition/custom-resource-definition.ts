import type { ObjectMeta } from '@flotilla/kube';
import type { JsonSchema } from '../json-schema.ts';

/**
 * A decoded CustomResourceDefinition (apiextensions.k8s.io/v1): its types are correct, but required fields may be
 * missing.
 */
export interface CustomResourceDefinition {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec: DefinitionSpec;
  status?: DefinitionStatus;
}

export interface DefinitionSpec {
  group: string;
  names: DefinitionNames;
  scope: string;
  /** Null only before validation. */
  versions: DefinitionVersion[];
  conversion?: Conversion;
  preserveUnknownFields?: boolean;
}

export interface DefinitionNames {
  plural: string;
  singular?: string;
  shortNames?: string[];
  kind: string;
  listKind?: string;
  categories?: string[];
}

export interface DefinitionVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: JsonSchema };
  subresources?: { status?: object; scale?: ScalePaths };
  additionalPrinterColumns?: PrinterColumn[];
  selectableFields?: { jsonPath: string }[];
}

export interface ScalePaths {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}

export interface PrinterColumn {
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  jsonPath: string;
}

export interface Conversion {
  strategy: string;
  webhook?: {
    clientConfig?: WebhookClientConfig;
    conversionReviewVersions?: string[] | null;
  };
}

export interface WebhookClientConfig {
  url?: string;
  service?: { namespace: string; name: string; path?: string; port?: number };
  caBundle?: string;
}

export interface DefinitionStatus {
  /** Null until the first one is set, as Go writes it. */
  conditions?: DefinitionCondition[] | null;
  acceptedNames?: DefinitionNames;
  storedVersions?: string[] | null;
  observedGeneration?: number;
}

export interface DefinitionCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  observedGeneration?: number;
}
