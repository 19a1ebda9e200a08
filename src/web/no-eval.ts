import { config } from 'zod';

// The content security policy forbids code made from strings; zod would try it and leave an error in the console.
// It has to be told before the first schema is made, so this comes before all other imports.
config({ jitless: true });
