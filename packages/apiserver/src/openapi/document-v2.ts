import { openApiDefinitions } from '@flotilla/builtins';
import type { JsonObject } from '@flotilla/kube';
import { mediaTypes } from '../http/negotiate.ts';
import { kubernetesVersion } from '../http/version.ts';
import type { Resource } from '../resources/resource.ts';
import { modelFinder } from './model-finder.ts';
import { pretty, resourcePaths, type Body, type Operation, type Parameter, type Path } from './operations.ts';

/** The OpenAPI v2 document ("swagger"), one for everything. */
export function documentV2(resources: readonly Resource[]): JsonObject {
  const definitions = openApiDefinitions();
  const modelOf = modelFinder(definitions);
  const paths = resources.flatMap((resource) => resourcePaths(resource, modelOf));
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: kubernetesVersion },
    paths: Object.fromEntries(paths.map((path) => [path.path, pathItem(path)])),
    definitions,
    securityDefinitions: {
      BearerToken: { description: 'Bearer Token authentication', type: 'apiKey', name: 'authorization', in: 'header' },
    },
    security: [{ BearerToken: [] }],
  };
}

function pathItem({ variables, operations }: Path): JsonObject {
  const inPath = variables.map((name) => ({ uniqueItems: true, type: 'string', name, in: 'path', required: true }));
  return {
    ...Object.fromEntries(operations.map((operation) => [operation.method, operationObject(operation)])),
    parameters: [...inPath, queryParameter(pretty)],
  };
}

function queryParameter({ name, type, description }: Parameter): JsonObject {
  return { uniqueItems: true, type, description, name, in: 'query' };
}

const objectTypes = [mediaTypes.json, mediaTypes.yaml, mediaTypes.protobuf];
const watchTypes = [`${mediaTypes.json};stream=watch`, `${mediaTypes.protobuf};stream=watch`];

function operationObject({ id, action, kind, parameters, body, answer, isWatchable }: Operation): JsonObject {
  const schema = { $ref: `#/definitions/${answer.model}` };
  return {
    consumes: [...(body?.mediaTypes ?? ['*/*'])],
    produces: isWatchable ? [...objectTypes, ...watchTypes] : objectTypes,
    schemes: ['https'],
    operationId: id,
    parameters: [...(body ? [bodyParameter(body)] : []), ...parameters.map(queryParameter)],
    responses: {
      ...Object.fromEntries(answer.codes.map((code) => [code, { description: 'OK', schema }])),
      '401': { description: 'Unauthorized' },
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': kind,
  };
}

function bodyParameter({ model, required }: Body): JsonObject {
  return { name: 'body', in: 'body', ...(required && { required: true }), schema: { $ref: `#/definitions/${model}` } };
}
