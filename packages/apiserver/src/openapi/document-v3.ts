import { openApiSchemas } from '@flotilla/builtins';
import { apiVersionOf, type JsonObject } from '@flotilla/kube';
import { mediaTypes } from '../http/negotiate.ts';
import type { Resource } from '../resources/resource.ts';
import { modelFinder } from './model-finder.ts';
import { pretty, resourcePaths, type Operation, type Parameter, type Path } from './operations.ts';

/** The OpenAPI v3 document of one group version. */
export function documentV3(group: string, version: string, resources: readonly Resource[]): JsonObject {
  const schemas = openApiSchemas(apiVersionOf({ group, version }));
  const modelOf = modelFinder(schemas);
  const paths = resources.flatMap((resource) => resourcePaths(resource, modelOf));
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: '1.36' },
    paths: Object.fromEntries(paths.sort(byPath).map((path) => [path.path, pathItem(path)])),
    components: {
      schemas,
      securitySchemes: {
        BearerToken: {
          type: 'apiKey',
          description: 'Bearer Token authentication',
          name: 'authorization',
          in: 'header',
        },
      },
    },
  };
}

function byPath(a: Path, b: Path): number {
  return a.path < b.path ? -1 : 1;
}

function pathItem({ variables, operations }: Path): JsonObject {
  const inPath = variables.map((name) => ({
    name,
    in: 'path',
    description: name === 'namespace' ? 'Namespace of the object.' : 'Name of the object.',
    required: true,
    schema: { type: 'string', uniqueItems: true },
  }));
  return {
    ...Object.fromEntries(operations.map((operation) => [operation.method, operationObject(operation)])),
    parameters: [...inPath, queryParameter(pretty)],
  };
}

function queryParameter({ name, type, description }: Parameter): JsonObject {
  return { name, in: 'query', description, schema: { type, uniqueItems: true } };
}

function operationObject({ id, action, kind, parameters, body, answer, isWatchable }: Operation): JsonObject {
  const { group, version } = kind;
  return {
    tags: [`${(group === '' ? 'core' : group).replace(/\.k8s\.io$/, '').replaceAll('.', '_')}_${version}`],
    operationId: id,
    ...(parameters.length > 0 && { parameters: parameters.map(queryParameter) }),
    ...(body && {
      requestBody: { content: contentOf(body.mediaTypes, body.model), ...(body.required && { required: true }) },
    }),
    responses: {
      ...Object.fromEntries(answer.codes.map((code) => [code, responseObject(answer.model, isWatchable)])),
      '401': { description: 'Unauthorized' },
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': kind,
  };
}

const objectTypes = [mediaTypes.json, mediaTypes.protobuf, mediaTypes.yaml];
const watchTypes = [`${mediaTypes.json};stream=watch`, `${mediaTypes.protobuf};stream=watch`];

function responseObject(model: string, isWatchable: boolean): JsonObject {
  const types = isWatchable ? [...objectTypes, ...watchTypes].sort() : objectTypes;
  return { description: 'OK', content: contentOf(types, model) };
}

function contentOf(types: readonly string[], model: string): JsonObject {
  const schema = { $ref: `#/components/schemas/${model}` };
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}
