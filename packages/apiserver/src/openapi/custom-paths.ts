import { stringifyJson, type JsonObject } from '@flotilla/kube';
import type { Resource } from '../resources/resource.ts';
import { capitalised, groupVersionId, tagOf, type Kind, type ModelOf, type Path } from './operation.ts';
import { resourcePaths } from './resource-paths.ts';

/** A path and its path item, as a member of a JSON object. */
export interface PathText {
  readonly path: string;
  readonly text: string;
}

/** Formats a path for one version of OpenAPI. */
type PathFormatter = (path: Path) => JsonObject;

/**
 * The path items of custom resources differ only in names, and are most of their documents. So a template is written once for
 * each shape of a resource, with markers in place of names.
 */
export function customPaths(resource: Resource, modelOf: ModelOf, pathItem: PathFormatter): readonly PathText[] {
  const { group, version, kind, plural, listKind } = resource;
  const [model, listModel] = [modelOf({ group, version, kind }), modelOf({ group, version, kind: listKind })];
  const isPlain = model !== undefined && listModel !== undefined && plainKind.test(kind);
  if (!isPlain) return pathTexts(resource, modelOf, pathItem);
  const names = { group, version, kind, plural, listKind, model, listModel };
  const values = formsOf(names);
  return templatesOf(resource, modelOf, pathItem).map(({ path, text }) => ({
    path: filled(path, values),
    text: filled(text, values),
  }));
}

/** Other kinds cannot use a template: operation ids drop their special characters and capitalise the next letter. */
const plainKind = /^[a-zA-Z][a-zA-Z0-9]*$/;

function pathTexts(resource: Resource, modelOf: ModelOf, pathItem: PathFormatter): PathText[] {
  return resourcePaths(resource, modelOf).map((path) => ({
    path: path.path,
    text: `${stringifyJson(path.path)}:${stringifyJson(pathItem(path))}`,
  }));
}

interface Names extends Kind {
  readonly plural: string;
  readonly listKind: string;
  readonly model: string;
  readonly listModel: string;
}

/** Strings that no document contains. Letters only, because operation ids drop other characters. */
const markers: Names = {
  group: 'zqgroupqz',
  version: 'zqversionqz',
  kind: 'zqkindqz',
  plural: 'zqpluralqz',
  listKind: 'zqlistqz',
  model: 'zqmodelqz',
  listModel: 'zqlistmodelqz',
};

/** The forms in which names occur; longer forms come before those that they contain. */
function formsOf(names: Names): string[] {
  const { group, version, kind, plural, listKind, model, listModel } = names;
  const derived = [groupVersionId(group, version), tagOf(group, version), capitalised(kind), capitalised(plural)];
  return [...derived, group, version, kind, plural, listKind, model, listModel];
}

const markerForms = formsOf(markers);
const anyForm = new RegExp(`(${markerForms.join('|')})`);

/** Texts, and the index of the form between each two. */
interface Template {
  readonly texts: readonly string[];
  readonly forms: readonly number[];
}

function templateOf(text: string): Template {
  const parts = text.split(anyForm);
  const texts = parts.filter((_, index) => index % 2 === 0);
  const forms = parts.filter((_, index) => index % 2 === 1).map((form) => markerForms.indexOf(form));
  return { texts, forms };
}

function filled({ texts, forms }: Template, values: readonly string[]): string {
  let text = texts[0] ?? '';
  for (const [index, form] of forms.entries()) text += (values[form] ?? '') + (texts[index + 1] ?? '');
  return text;
}

interface PathTemplate {
  readonly path: Template;
  readonly text: Template;
}

/** By formatter and shape. */
const templates = new WeakMap<PathFormatter, Map<string, readonly PathTemplate[]>>();

function templatesOf(resource: Resource, modelOf: ModelOf, pathItem: PathFormatter): readonly PathTemplate[] {
  const { namespaced, verbs, subresources } = resource;
  const parts = subresources.map(({ name, verbs: own }) => `${name}:${own.join()}`);
  const shape = [namespaced, verbs.join(), ...parts].join(' ');
  const byShape = templates.get(pathItem) ?? new Map<string, readonly PathTemplate[]>();
  templates.set(pathItem, byShape);
  let cached = byShape.get(shape);
  if (!cached) {
    cached = pathTexts(marked(resource), markedModels(modelOf), pathItem).map(({ path, text }) => ({
      path: templateOf(path),
      text: templateOf(text),
    }));
    byShape.set(shape, cached);
  }
  return cached;
}

/** The same resource with markers as names. Not a copy: reading some of its properties would compile its schema. */
function marked(resource: Resource): Resource {
  const { group, version, kind, plural, listKind } = markers;
  const subresources = resource.subresources.map((subresource) =>
    subresource.kind === resource.kind ? { ...subresource, group, version, kind } : subresource,
  );
  const values = { group, version, kind, plural, listKind, subresources };
  const descriptors = Object.entries(values).map(([name, value]) => [name, { value, enumerable: true }] as const);
  return Object.create(resource, Object.fromEntries(descriptors)) as Resource;
}

function markedModels(modelOf: ModelOf): ModelOf {
  return (kind) => {
    if (kind.kind === markers.kind) return markers.model;
    return kind.kind === markers.listKind ? markers.listModel : modelOf(kind);
  };
}
