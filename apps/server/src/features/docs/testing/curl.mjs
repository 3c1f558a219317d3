#!/usr/bin/env node
// Replaces curl on machines without it. Supports the options that the guide uses and refuses all others, so that no example
// passes by being misunderstood.
import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';

const headers = new Headers();
let url;
let body;
let form;
let outputPath;

const [...rest] = process.argv.slice(2);
while (rest.length > 0) {
  const option = rest.shift();
  if (option === '-s') continue;
  else if (option === '-H') headers.append(...splitAt(rest.shift(), ':'));
  else if (option === '-d') body = rest.shift();
  else if (option === '-o') outputPath = rest.shift();
  else if (option === '-F') await addPart(...splitAt(rest.shift(), '='));
  else if (option.startsWith('-')) throw new Error(`curl stand-in: ${option} is not supported`);
  else url = option;
}

async function addPart(name, value) {
  form ??= new FormData();
  if (!value.startsWith('@')) return form.append(name, value);
  const path = value.slice(1);
  return form.append(name, await openAsBlob(path), basename(path));
}

function splitAt(text, mark) {
  const place = text.indexOf(mark);
  return [text.slice(0, place), text.slice(place + 1).trim()];
}

const sent = body ?? form;
const answer = await fetch(url, { method: sent ? 'POST' : 'GET', headers, ...(sent && { body: sent }) });
const text = await answer.text();
if (outputPath) await writeFile(outputPath, text);
else process.stdout.write(text);
