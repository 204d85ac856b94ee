/** `generate-manifests.ts hub|member FOLDER`: writes the CRDs of a hub or a member, one file each. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hubDefinitions, memberDefinitions } from '@flotilla/api';
import { printYaml, type JsonValue } from '@flotilla/kube';

const heading = '# Written by "npm run generate" from packages/api; change it there.\n';

const [role, folder = '.'] = process.argv.slice(2);
const wanted = role === 'member' ? await memberDefinitions() : await hubDefinitions();
for (const definition of wanted) {
  const yaml = printYaml(definition as unknown as JsonValue);
  writeFileSync(join(folder, `${definition.metadata.name}.yaml`), `${heading}---\n${yaml}`);
}
