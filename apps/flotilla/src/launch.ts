/** What the launcher becomes: the program out of its bundle where that is current, out of its sources otherwise. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { currentBundle } from './current-bundle.ts';

const bundle = currentBundle(resolve(import.meta.dirname, '../dist'));
await import(bundle === undefined ? './main.ts' : pathToFileURL(bundle).href);
