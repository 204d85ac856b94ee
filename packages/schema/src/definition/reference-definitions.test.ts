/** The definitions that real systems ship. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fieldErrorText, parseJson, type JsonObject } from '@flotilla/kube';
import { referenceData } from '@flotilla/testkit';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';
import { prepareForCreate, setDefinitionDefaults } from './prepare-definition.ts';
import { definitionWarnings } from './definition-warnings.ts';
import { validateDefinition, validateDefinitionUpdate } from './validate-definition.ts';

const checks = {
  readMetadata: (metadata: unknown) => ({ metadata: metadata as JsonObject, unknownFields: [] }),
};

describe('definitions of KubeFleet and Open Cluster Management', () => {
  const { skip, path } = referenceData();
  for (const folder of ['kubefleet/crds', 'ocm/crds']) {
    test(`in ${folder} are valid on create and update`, { skip }, () => {
      const files = readdirSync(path(folder)).filter((file) => file.endsWith('.json'));
      assert.ok(files.length > 0);
      for (const file of files) {
        const definition = read(path(`${folder}/${file}`));
        assert.deepEqual(validateDefinition(definition, checks).map(fieldErrorText), [], file);
        assert.deepEqual(definitionWarnings(definition), [], file);
        definition.metadata.resourceVersion = '1';
        assert.deepEqual(validateDefinitionUpdate(definition, definition, checks).map(fieldErrorText), [], file);
      }
    });
  }
});

function read(file: string): CustomResourceDefinition {
  const definition = parseJson(readFileSync(file, 'utf8')).value as unknown as CustomResourceDefinition;
  setDefinitionDefaults(definition);
  prepareForCreate(definition);
  return definition;
}
