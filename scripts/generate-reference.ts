/** `generate-reference.ts FOLDER`: writes the API reference of the fleet's kinds. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitions } from '@flotilla/api';
import { referencePage } from '../packages/api/src/reference/reference-page.ts';
import { sharedTypes } from '../packages/api/src/reference/shared-types.ts';

const [folder = '.'] = process.argv.slice(2);
writeFileSync(join(folder, 'api-reference.md'), referencePage(await definitions(), sharedTypes));
