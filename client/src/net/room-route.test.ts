// A page asks its own server for its room, follows it once, and asks the others if its own server is gone.
import { expect, test } from 'vitest'
import { RoomRoute } from './room-route'

const route = () => new RoomRoute('https://own', '/socket')

test('the page asks its own server until it knows another', () => {
  const some = route()
  expect(Array.from({ length: 5 }, () => some.next())).toEqual(Array(5).fill('wss://own/socket'))
})

test('the server that has the room is tried once, with its ticket', () => {
  const some = route()
  some.moveTo('http://b:8001/n/b', 't')
  expect([some.next(), some.takeTicket(), some.takeTicket()]).toEqual(['ws://b:8001/n/b/socket', 't', undefined])
  expect(some.next()).toBe('wss://own/socket')
})

test('if the own server is gone, all others are asked in turn, and it again', () => {
  const some = route()
  some.setNodes(['https://own', 'https://b', 'https://c'])
  const asked = Array.from({ length: 8 }, () => some.next().slice(6, -7))
  expect(asked).toEqual(['own', 'own', 'own', 'b', 'c', 'own', 'b', 'c'])
  some.arrived()
  expect(some.next()).toBe('wss://own/socket')
})

test('in a frame of Discord all servers are reached through its proxy', () => {
  const some = new RoomRoute('https://1234.discordsays.com', '/socket')
  some.moveTo('https://cards.example/b', 'ticket')
  expect([some.next(), some.takeTicket()]).toEqual(['wss://1234.discordsays.com/b/socket', 'ticket'])
  expect(some.next()).toBe('wss://1234.discordsays.com/socket')
})
