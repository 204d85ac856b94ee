import { clientApiVersions, schemasOf, structType, type OpenApiSchema } from '@flotilla/builtins';
import type { OpenApiForm } from '@flotilla/schema';
import type { Resource } from '../resources/resource.ts';

const metaModels = ['ObjectMeta', 'ListMeta', 'DeleteOptions', 'Status', 'Patch'];

/** Schemas of Kubernetes that requests and responses for custom resources contain. */
export function sharedSchemas(resources: readonly Resource[], form: OpenApiForm): Record<string, OpenApiSchema> {
  const roots = metaModels.map((name) => structType('meta/v1', name));
  if (hasScale(resources)) roots.push(structType('autoscaling/v1', 'Scale'));
  return schemasOf(roots, { form, sharedBy: clientApiVersions() });
}

export function hasScale(resources: readonly Resource[]): boolean {
  return resources.some(({ subresources }) => subresources.some(({ name }) => name === 'scale'));
}
