#!/usr/bin/env node
import { main } from '../dist/cli/main.js'

void main(process.argv.slice(2))
