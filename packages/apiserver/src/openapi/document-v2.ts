import { openApiDefinitions } from '@flotilla/builtins';
import type { JsonObject } from '@flotilla/kube';
import type { Steps } from '@flotilla/timing';
import type { Group } from '../discovery/legacy.ts';
import { discoveryPaths } from './discovery-paths.ts';
import type { Resource } from '../resources/resource.ts';
import { modelFinder } from './model-finder.ts';
import { codeDescriptions, type Answer, type Body, type Operation, type Parameter, type Path } from './operation.ts';
import { pathItems } from './path-items.ts';
import { resourcePaths } from './resource-paths.ts';
import { sharedSchemas } from './shared-schemas.ts';

/** The OpenAPI v2 document ("swagger") of all resources, built in steps. */
export function* documentV2(groups: readonly Group[]): Steps<JsonObject> {
  const definitions = openApiDefinitions();
  yield;
  const modelOf = modelFinder(definitions);
  const { core, groups: all, version: versionPath, issuer, issuerKeys } = discoveryPaths;
  const paths: Path[] = [core(), all(), versionPath(), issuer(), issuerKeys()];
  for (const { name, versions } of groups) {
    if (name !== '') paths.push(discoveryPaths.group(name));
    for (const { version, resources } of versions) {
      paths.push(discoveryPaths.groupVersion(name, version));
      for (const resource of resources) {
        paths.push(...resourcePaths(resource, modelOf));
        yield;
      }
    }
  }
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: '1.36' },
    paths: yield* pathItems(paths, pathItem),
    definitions,
    securityDefinitions: {
      BearerToken: { description: 'Bearer Token authentication', type: 'apiKey', name: 'authorization', in: 'header' },
    },
    security: [{ BearerToken: [] }],
  };
}

/** The paths and definitions of one custom resource. */
export function* customPart(resource: Resource): Steps<{ paths: JsonObject; definitions: JsonObject }> {
  const definitions = resource.published?.schemas('v2') ?? {};
  yield;
  const modelOf = modelFinder({ ...sharedSchemas([resource], 'v2'), ...definitions });
  const paths = yield* pathItems(resourcePaths(resource, modelOf), pathItem);
  return { paths, definitions };
}

function pathItem({ parameters, operations }: Path): JsonObject {
  return {
    ...Object.fromEntries(operations.map((operation) => [operation.method, operationObject(operation)])),
    ...(parameters.length > 0 && { parameters: parameters.map(parameterObject) }),
  };
}

function parameterObject({ name, in: location, type, description }: Parameter): JsonObject {
  return { uniqueItems: true, type, description, name, in: location, ...(location === 'path' && { required: true }) };
}

function operationObject({ id, tag, parameters, body, consumes, produces, answer, about }: Operation): JsonObject {
  const all = [...(body ? [bodyParameter(body)] : []), ...parameters.map(parameterObject)];
  return {
    ...(consumes.length > 0 && { consumes: [...consumes] }),
    produces: [...produces],
    schemes: ['https'],
    tags: [tag],
    operationId: id,
    ...(all.length > 0 && { parameters: all }),
    responses: responsesOf(answer),
    ...(about && { 'x-kubernetes-action': about.action, 'x-kubernetes-group-version-kind': kindObject(about.kind) }),
  };
}

function kindObject({ group, version, kind }: NonNullable<Operation['about']>['kind']): JsonObject {
  return { group, kind, version };
}

function bodyParameter({ model, required }: Body): JsonObject {
  return { name: 'body', in: 'body', ...(required && { required }), schema: { $ref: `#/definitions/${model}` } };
}

function responsesOf({ codes, model }: Answer): JsonObject {
  const schema = model === undefined ? { type: 'string' } : { $ref: `#/definitions/${model}` };
  return {
    ...Object.fromEntries(codes.map((code) => [code, { description: codeDescriptions[code], schema }])),
    '401': { description: 'Unauthorized' },
  };
}
