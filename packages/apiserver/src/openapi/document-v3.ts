import { openApiSchemas, schemasOf, structType, type OpenApiSchema } from '@flotilla/builtins';
import { apiVersionOf, stringifyMembers, type JsonObject } from '@flotilla/kube';
import type { Steps } from '@flotilla/timing';
import type { Resource } from '../resources/resource.ts';
import { customPaths, type PathText } from './custom-paths.ts';
import { discoveryPaths } from './discovery-paths.ts';
import { modelFinder } from './model-finder.ts';
import { hasScale, sharedSchemas } from './shared-schemas.ts';
import { codeDescriptions, type Answer, type ModelOf, type Operation, type Parameter, type Path } from './operation.ts';
import { pathItems } from './path-items.ts';
import { resourcePaths } from './resource-paths.ts';

/** The OpenAPI v3 document of one group version, built in steps. */
export function* groupVersionDocument(
  group: string,
  version: string,
  resources: readonly Resource[],
): Steps<JsonObject> {
  const schemas = openApiSchemas(apiVersionOf({ group, version }));
  yield;
  const modelOf = modelFinder(schemas);
  const paths = [discoveryPaths.groupVersion(group, version)];
  for (const resource of resources) {
    paths.push(...resourcePaths(resource, modelOf));
    yield;
  }
  return document(yield* pathItems(paths, pathItem), schemas);
}

/** The document of a group version of custom resources. It is concatenated from texts in short steps. */
export function* customDocument(resources: readonly Resource[]): Steps<Uint8Array> {
  const shared = sharedTexts(resources);
  const schemas: Uint8Array[] = [];
  const paths: PathText[] = [];
  for (const resource of resources) {
    const { published } = resource;
    if (published) schemas.push(comma, ...published.schemaPieces());
    yield;
    paths.push(...customPaths(resource, modelOf(resource, shared), pathItem));
    yield;
  }
  const sorted = paths.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map(({ text }) => text);
  const info = '"info":{"title":"Kubernetes CRD Swagger","version":"v0.1.0"}';
  const head = `{"openapi":"3.0.0",${info},"paths":{${sorted.join(',')}},"components":{"schemas":{`;
  return Buffer.concat([Buffer.from(head), shared.bytes, ...schemas, Buffer.from('}}}\n')]);
}

const comma = Buffer.from(',');

/** The models of the resource's own kinds, and the shared ones. */
function modelOf({ group, version, published }: Resource, shared: SharedTexts): ModelOf {
  return (kind) => {
    const isOwn = kind.group === group && kind.version === version;
    return (isOwn ? published?.modelOf(kind.kind) : undefined) ?? shared.modelOf(kind);
  };
}

interface SharedTexts {
  readonly bytes: Uint8Array;
  readonly modelOf: ModelOf;
}

const sharedTextsByScale = new Map<boolean, SharedTexts>();

/** Equal in all documents of custom resources, except for the models of scales. */
function sharedTexts(resources: readonly Resource[]): SharedTexts {
  const isScaled = hasScale(resources);
  let texts = sharedTextsByScale.get(isScaled);
  if (!texts) {
    const schemas = sharedSchemas(resources, 'v3');
    texts = { bytes: Buffer.from(stringifyMembers(schemas)), modelOf: modelFinder(schemas) };
    sharedTextsByScale.set(isScaled, texts);
  }
  return texts;
}

/** The small documents: of the API root, of a group, of the version. */
// oxlint-disable-next-line require-yield -- one step is enough
export function* rootDocument(path: Path, module: string, type: string): Steps<JsonObject> {
  return document({ [path.path]: pathItem(path) }, schemasOf([structType(module, type)], { form: 'v3', sharedBy: [] }));
}

/** A document with one path and no schemas. */
// oxlint-disable-next-line require-yield -- one step is enough
export function* plainDocument(path: Path): Steps<JsonObject> {
  return document({ [path.path]: pathItem(path) });
}

function document(paths: JsonObject, schemas?: Record<string, OpenApiSchema>): JsonObject {
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: '1.36' },
    paths,
    components: {
      ...(schemas && { schemas }),
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

function pathItem({ parameters, operations }: Path): JsonObject {
  return {
    ...Object.fromEntries(operations.map((operation) => [operation.method, operationObject(operation)])),
    ...(parameters.length > 0 && { parameters: parameters.map(parameterObject) }),
  };
}

function parameterObject({ name, in: location, type, description }: Parameter): JsonObject {
  const required = location === 'path' && { required: true };
  return { name, in: location, description, ...required, schema: { type, uniqueItems: true } };
}

function operationObject({ id, tag, parameters, body, consumes, produces, answer, about }: Operation): JsonObject {
  const required = body?.required === true && { required: true };
  return {
    tags: [tag],
    operationId: id,
    ...(parameters.length > 0 && { parameters: parameters.map(parameterObject) }),
    ...(body && { requestBody: { content: contentOf(consumes, body.model), ...required } }),
    responses: responsesOf(answer, produces),
    ...(about && { 'x-kubernetes-action': about.action, 'x-kubernetes-group-version-kind': { ...about.kind } }),
  };
}

function responsesOf({ codes, model }: Answer, mediaTypes: readonly string[]): JsonObject {
  const content = contentOf(mediaTypes, model);
  return {
    ...Object.fromEntries(codes.map((code) => [code, { description: codeDescriptions[code], content }])),
    '401': { description: 'Unauthorized' },
  };
}

function contentOf(mediaTypes: readonly string[], model: string | undefined): JsonObject {
  const schema = model === undefined ? { type: 'string' } : { $ref: `#/components/schemas/${model}` };
  return Object.fromEntries(mediaTypes.toSorted().map((type) => [type, { schema }]));
}
