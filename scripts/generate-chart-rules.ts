/** `generate-chart-rules.ts FOLDER`: writes the RBAC rules that the chart of the hub contains. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hubRules, namespaceRoles } from '@flotilla/controllers';
import { attachedHubRules } from '@flotilla/fleet';
import { printYaml } from '@flotilla/kube';

const [folder = '.'] = process.argv.slice(2);
const { cluster, namespace } = await attachedHubRules();
const roles = namespaceRoles.map(({ metadata, rules }) => [metadata.name, { labels: metadata.labels, rules }]);
const files = {
  'cluster-rules': cluster,
  'namespace-rules': namespace,
  // The rule that the agents of fleet networking need is the last one.
  'networking-rules': hubRules(true).slice(hubRules(false).length),
  'namespace-roles': Object.fromEntries(roles),
};

for (const [name, content] of Object.entries(files)) {
  const heading =
    '# Written by "npm run generate" from the rules in packages/controllers and packages/fleet; change them there.\n';
  writeFileSync(join(folder, `${name}.yaml`), `${heading}${printYaml(content)}`);
}
