/** An entry point of this package for the script that bundles the command. */
export { prepareHub } from './prepare-hub.ts';
export { preparedFileName, preparedParts } from './prepared-files.ts';
